package io.fanfare.worker;

import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.queue.JobQueue.Lapsed;
import io.fanfare.common.queue.JobQueue.Overdue;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for batches whose worker has died, every {@code queue.reap} at a random phase, and frees their jobs. Every
 * worker does; the script lets only one succeed.
 *
 * <p>A lease also ends when Redis was away and nobody could renew it. So a shard is trusted only one lease after it
 * last failed to answer, or answered late: by then its living workers have beaten. The same holds from the start. One
 * event loop.
 */
final class Reaper {
    private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);

    /** Batches reaped per look, so that claims and beats get through when many workers have died at once. */
    static final int REAPS_MAX = 64;

    private final Vertx vertx;
    private final JobQueue queue;
    private final Settings.Queue settings;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final WorkerMetrics metrics;
    private final QueueDepths depths;
    private final String name;
    private final long[] trustedFromNanos;
    private boolean stopped;

    /** @param name of the worker that it belongs to */
    Reaper(
            Vertx vertx,
            JobQueue queue,
            Settings.Queue settings,
            LongSupplier nanos,
            RandomGenerator random,
            WorkerMetrics metrics,
            QueueDepths depths,
            String name) {
        this.vertx = vertx;
        this.queue = queue;
        this.settings = settings;
        this.nanos = nanos;
        this.random = random;
        this.metrics = metrics;
        this.depths = depths;
        this.name = name;
        this.trustedFromNanos = new long[queue.shardCount()];
    }

    void start() {
        for (int shard = 0; shard < trustedFromNanos.length; shard++) {
            distrust(shard);
        }
        vertx.setTimer(1 + random.nextLong(settings.reap().toMillis()), timer -> look());
    }

    void stop() {
        stopped = true;
        depths.leave(name);
    }

    private void look() {
        if (stopped) {
            return;
        }
        long sent = nanos.getAsLong();
        queue.lapsed()
                .compose(overdue -> reap(overdue, sent))
                .onFailure(Reaper::failed)
                // Whatever became of the reaps.
                .transform(reaped -> lookAtDepths())
                .onFailure(Reaper::failed)
                .onComplete(done -> lookAgain());
    }

    private Future<Void> lookAtDepths() {
        return stopped || !depths.isFor(name)
                ? Future.succeededFuture()
                : queue.stats().onSuccess(depths::set).mapEmpty();
    }

    private static void failed(Throwable cause) {
        LOG.debug("reaper failed cause={}", RetryPolicy.describe(cause));
    }

    private void lookAgain() {
        long reap = settings.reap().toMillis();
        vertx.setTimer(Math.max(1, reap - reap / 4 + random.nextLong(reap / 2 + 1)), timer -> look());
    }

    private Future<Void> reap(Overdue overdue, long sentNanos) {
        boolean late = nanos.getAsLong() - sentNanos > settings.beat().toNanos();
        for (int shard = 0; shard < trustedFromNanos.length; shard++) {
            if (late || overdue.unasked().contains(shard)) {
                distrust(shard);
            }
        }
        List<Lapsed> trusted = new ArrayList<>(
                overdue.lapsed().stream().filter(this::isTrusted).toList());
        // Workers begin at different places, and no shard is always the last.
        Collections.rotate(trusted, random.nextInt(Math.max(1, trusted.size())));
        List<Future<Integer>> reaps =
                trusted.stream().limit(REAPS_MAX).map(this::reap).toList();
        return Future.join(reaps).mapEmpty();
    }

    private Future<Integer> reap(Lapsed lapsed) {
        return queue.reap(lapsed).onSuccess(jobs -> {
            metrics.reaped(jobs);
            if (jobs > 0) {
                LOG.warn(
                        "batch of a dead worker reaped shard={} batch={} jobs={}", lapsed.shard(), lapsed.name(), jobs);
            }
        });
    }

    private boolean isTrusted(Lapsed lapsed) {
        return nanos.getAsLong() - trustedFromNanos[lapsed.shard()] >= 0;
    }

    private void distrust(int shard) {
        trustedFromNanos[shard] = nanos.getAsLong() + settings.lease().toNanos();
    }
}
