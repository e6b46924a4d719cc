package io.fanfare.worker;

import io.fanfare.core.queue.JobQueue;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts jobs whose time has come: the {@link LeadLoop} looks for shards that have any, and asks each again when its
 * first is due, or after {@link #KEPT_IN_MIND}. That is less than the time that a job is scheduled ahead at least, and
 * a round of looks takes less, so that each begins within a second. Two processes that do so at once start each job
 * once. One event loop.
 */
final class TimedJobStarter {
    private static final Logger LOG = LoggerFactory.getLogger(TimedJobStarter.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** The time after which a shard is read again at the latest; a job that is scheduled meanwhile is due later. */
    private static final Duration KEPT_IN_MIND = Duration.ofMinutes(4);

    private final Vertx vertx;
    private final TimedJobs jobs;
    private final JobQueue queue;
    private final LeadLoop lead;
    private final String name;
    private final Set<Integer> expected = new HashSet<>();
    private boolean stopped;

    /** @param name of the worker that it belongs to */
    TimedJobStarter(Vertx vertx, TimedJobs jobs, JobQueue queue, LeadLoop lead, String name) {
        this.vertx = vertx;
        this.jobs = jobs;
        this.queue = queue;
        this.lead = lead;
        this.name = name;
    }

    void start() {
        if (stopped) {
            return;
        }
        look().onFailure(cause -> LOG.debug("timed jobs not looked for cause={}", RetryPolicy.describe(cause)))
                .onComplete(done -> Ticks.next(vertx, PAUSE.toMillis(), this::start));
    }

    void stop() {
        stopped = true;
    }

    private Future<Void> look() {
        return lead.isLed(name)
                ? jobs.look().compose(shards -> Future.join(shards.stream()
                                .filter(shard -> !expected.contains(shard))
                                .map(this::start)
                                .toList())
                        .mapEmpty())
                : Future.succeededFuture();
    }

    private Future<Void> start(int shard) {
        return jobs.start(shard).compose(started -> {
            long next = started.nextMillis();
            if (next >= 0 && expected.add(shard)) {
                vertx.setTimer(Math.max(1, Math.min(next, KEPT_IN_MIND.toMillis())), due -> expected(shard));
            }
            return started.count() == 0 ? Future.succeededFuture() : queue.wake(shard);
        });
    }

    private void expected(int shard) {
        expected.remove(shard);
        if (!stopped) {
            start(shard).onFailure(cause -> LOG.debug("timed jobs not started cause={}", RetryPolicy.describe(cause)));
        }
    }
}
