package io.fanfare.worker;

import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobQueue.Leased;
import io.fanfare.core.queue.ShardProbe;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for batches whose worker has died, every {@code queue.reap} at a phase of the process, and frees their jobs.
 * One event loop of every process does; the script lets only one succeed. It also reads {@link QueueDepths}.
 *
 * <p>A worker is dead whose lease has had the same deadline for as long as a lease lasts, by elapsed time here. The
 * clock of the Redis server does not count, since it may have been set. While Redis is away nobody can renew a lease,
 * so the time starts again for a shard that has failed to answer, or answered late: by its end the living workers have
 * renewed theirs. The same holds from the start. One event loop.
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
    private final LeadLoop lead;
    private final ShardProbe leased;
    private final ShardProbe buried;
    private final String name;
    /** Since when each lease has been seen as it is, of those of the last look. */
    private Map<Leased, Long> sinceNanos = Map.of();

    /** Shards that had leases at the last look. */
    private Set<Integer> busy = Set.of();

    private int nextQuiet;
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
            LeadLoop lead,
            String name) {
        this.vertx = vertx;
        this.queue = queue;
        this.settings = settings;
        this.nanos = nanos;
        this.random = random;
        this.metrics = metrics;
        this.depths = depths;
        this.lead = lead;
        this.leased = queue.leased();
        this.buried = queue.buried();
        this.name = name;
    }

    void start() {
        lookAgain();
    }

    void stop() {
        stopped = true;
        lead.leave(name);
    }

    private void look() {
        if (stopped) {
            return;
        }
        if (!lead.isLed(name, LeadLoop.silenceNanos(settings))) {
            sinceNanos = Map.of();
            lookAgain();
            return;
        }
        leased.look(busy)
                .compose(this::lookAt)
                .onFailure(Reaper::failed)
                // Whatever became of the reaps.
                .transform(reaped -> lookAtDepths())
                .onFailure(Reaper::failed)
                .onComplete(done -> lookAgain());
    }

    /** At the shards that are known to have leases, and at those that were found. */
    private Future<Void> lookAt(Set<Integer> found) {
        long sent = nanos.getAsLong();
        Set<Integer> all = new TreeSet<>(busy);
        all.addAll(found);
        List<Integer> probed = List.copyOf(all);
        return queue.leases(probed).compose(leases -> {
            Set<Integer> now = new TreeSet<>();
            leases.forEach(leased -> now.add(leased.shard()));
            busy = now;
            return reap(leases, sent);
        });
    }

    /**
     * Reads the depths of all shards that are not quiet, of those that have dead letters, and of one more, since a
     * quiet shard may be paused.
     */
    private Future<Void> lookAtDepths() {
        if (stopped) {
            return Future.succeededFuture();
        }
        Set<Integer> probed = new TreeSet<>(busy);
        for (int shard = 0; shard < queue.shardCount(); shard++) {
            if (depths.mayBeBusy(shard)) {
                probed.add(shard);
            }
        }
        probed.add(nextQuiet);
        nextQuiet = (nextQuiet + 1) % queue.shardCount();
        return buried.look(probed)
                .onSuccess(probed::addAll)
                .compose(found -> queue.stats(List.copyOf(probed)))
                .onSuccess(depths::set)
                .mapEmpty();
    }

    private static void failed(Throwable cause) {
        LOG.debug("reaper failed cause={}", RetryPolicy.describe(cause));
    }

    private void lookAgain() {
        Ticks.next(vertx, settings.reap().toMillis(), this::look);
    }

    private Future<Void> reap(List<Leased> leases, long sentNanos) {
        long now = nanos.getAsLong();
        boolean late = now - sentNanos > settings.beat().toNanos();
        Map<Leased, Long> since = new HashMap<>();
        List<Leased> dead = new ArrayList<>();
        for (Leased leased : leases) {
            long first = late ? now : sinceNanos.getOrDefault(leased, now);
            since.put(leased, first);
            if (now - first >= settings.lease().toNanos()) {
                dead.add(leased);
            }
        }
        sinceNanos = since;
        // Workers begin at different places, and no shard is always the last.
        Collections.rotate(dead, random.nextInt(Math.max(1, dead.size())));
        List<Future<Integer>> reaps =
                dead.stream().limit(REAPS_MAX).map(this::reap).toList();
        return Future.join(reaps).mapEmpty();
    }

    private Future<Integer> reap(Leased leased) {
        return queue.reap(leased).onSuccess(jobs -> {
            metrics.reaped(jobs);
            if (jobs > 0) {
                LOG.warn(
                        "batch of a dead worker reaped shard={} batch={} jobs={}", leased.shard(), leased.name(), jobs);
                lead.found(List.of(leased.shard()));
            }
        });
    }
}
