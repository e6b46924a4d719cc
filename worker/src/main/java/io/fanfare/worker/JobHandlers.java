package io.fanfare.worker;

import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisError;
import io.fanfare.vertx.LoopContext;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which handler runs which type, and what the error of one becomes. A job that fails in company is first run again
 * alone, so that it cannot fail its neighbours. One event loop.
 */
final class JobHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(JobHandlers.class);

    /** How many time-outs a run may take while Redis is slow; then its batch is held. */
    private static final int SLOW_PERIODS_MAX = 10;

    private final Vertx vertx;
    private final Map<JobType, JobHandler<?>> byType;
    private final RetryPolicy retry;
    private final WorkerMetrics metrics;
    private final InstantSource clock;
    private final long timeoutMillis;
    private final LongPredicate redisWasSlow;

    /**
     * @param timeoutMillis how long a handler may take; after that its jobs count as failed, unless Redis is slow
     * @param redisWasSlow whether Redis answered slowly within the last so many ns
     */
    JobHandlers(
            Vertx vertx,
            Map<JobType, JobHandler<?>> byType,
            RetryPolicy retry,
            WorkerMetrics metrics,
            InstantSource clock,
            long timeoutMillis,
            LongPredicate redisWasSlow) {
        this.vertx = vertx;
        this.redisWasSlow = redisWasSlow;
        this.byType = new EnumMap<>(JobType.class);
        this.byType.putAll(byType);
        this.retry = retry;
        this.metrics = metrics;
        this.clock = clock;
        this.timeoutMillis = timeoutMillis;
    }

    /**
     * Runs jobs, those of one type together. The answered future never fails and completes when every future in it has:
     * future i holds the outcome of job i, or has failed because Redis is away ({@link RedisError#passing()}) or the
     * lease is lost. A job whose type has no handler is put off, as one of an unknown type is: a worker of another
     * build may have it.
     */
    Future<List<Future<Outcome>>> run(List<ClaimedJob> jobs, Lease lease) {
        Map<JobType, List<ClaimedJob>> groups = new EnumMap<>(JobType.class);
        for (ClaimedJob job : jobs) {
            if (isHandled(job)) {
                groups.computeIfAbsent(job.job().type(), type -> new ArrayList<>())
                        .add(job);
            }
        }
        Map<JobType, Iterator<Future<Outcome>>> runs = new EnumMap<>(JobType.class);
        groups.forEach(
                (type, group) -> runs.put(type, runGroup(type, group, lease).iterator()));
        List<Future<Outcome>> outcomes = new ArrayList<>(jobs.size());
        for (ClaimedJob job : jobs) {
            outcomes.add(
                    isHandled(job)
                            ? runs.get(job.job().type()).next()
                            : Future.succeededFuture(retry.undecodable(job, clock.millis())));
        }
        return Future.join(outcomes).transform(done -> Future.succeededFuture(outcomes));
    }

    private boolean isHandled(ClaimedJob job) {
        return job.job() != null && byType.containsKey(job.job().type());
    }

    private List<Future<Outcome>> runGroup(JobType type, List<ClaimedJob> group, Lease lease) {
        List<Future<Outcome>> runs = handle(type, group, lease);
        SerialRunner alone = new SerialRunner(metrics::now, timeoutMillis, retry.noTime());
        List<Future<Outcome>> outcomes = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            ClaimedJob job = group.get(i);
            outcomes.add(runs.get(i).recover(cause -> {
                if (isPassing(cause)) {
                    return Future.failedFuture(cause);
                }
                return group.size() == 1 ? failed(job, cause) : alone.add(() -> runAlone(type, job, lease));
            }));
        }
        return outcomes;
    }

    private Future<Outcome> runAlone(JobType type, ClaimedJob job, Lease lease) {
        return handle(type, List.of(job), lease)
                .get(0)
                .recover(cause -> isPassing(cause) ? Future.failedFuture(cause) : failed(job, cause));
    }

    private Future<Outcome> failed(ClaimedJob job, Throwable cause) {
        LOG.debug("job failed job={} cause={}", job.line(), RetryPolicy.describe(cause), cause);
        return Future.succeededFuture(retry.afterError(job, cause));
    }

    /** The jobs of a group have one type, so the cast is right. */
    private List<Future<Outcome>> handle(JobType type, List<ClaimedJob> group, Lease lease) {
        @SuppressWarnings("unchecked") // Registered under the type of the jobs it takes.
        JobHandler<Job> handler = (JobHandler<Job>) byType.get(type);
        long began = metrics.now();
        RunLease ofRun = new RunLease(lease);
        List<Future<Outcome>> runs;
        try {
            runs = handler.run(group.stream().map(ClaimedJob::job).toList(), ofRun);
        } catch (RuntimeException e) {
            return group.stream().map(job -> Future.<Outcome>failedFuture(e)).toList();
        }
        // One timer for the group: sixty-four would be sixty-four more.
        Future<?> inTime = inTime(Future.join(runs), SLOW_PERIODS_MAX).onComplete(end -> {
            ofRun.end();
            metrics.handled(type, began);
        });
        return runs.stream()
                .map(run -> inTime.transform(end -> run.isComplete() ? run : Future.<Outcome>failedFuture(end.cause())))
                .toList();
    }

    /**
     * The end of all, or a failure when it does not come in time. A slow Redis is given more time: the runs come on,
     * and others in their place would only be slower.
     */
    private Future<?> inTime(CompositeFuture all, int periods) {
        return LoopContext.current(vertx).within(timeoutMillis, all).transform(end -> {
            if (all.isComplete() || !(end.cause() instanceof TimeoutException)) {
                return all;
            }
            if (!redisWasSlow.test(TimeUnit.MILLISECONDS.toNanos(timeoutMillis))) {
                return Future.failedFuture(end.cause());
            }
            return periods > 1
                    ? inTime(all, periods - 1).map(all)
                    : Future.failedFuture(new RedisError(RedisError.Kind.NOT_NOW, "Redis answers slowly"));
        });
    }

    /** A lease that ends with the run of a handler: what the handler still has to do then, another run does. */
    private static final class RunLease implements Lease {
        private final Lease ofBatch;
        private boolean ended;

        RunLease(Lease ofBatch) {
            this.ofBatch = ofBatch;
        }

        @Override
        public Future<Void> ensure() {
            return ended ? Future.failedFuture(new LeaseLost("of a run that took too long")) : ofBatch.ensure();
        }

        @Override
        public void check(Collection<Long> statuses, Function<Lease, Future<Void>> takeBack) {
            ofBatch.check(statuses, takeBack);
        }

        void end() {
            ended = true;
        }
    }

    /** Not the job's fault, and no attempt. */
    private static boolean isPassing(Throwable cause) {
        return cause instanceof Lease.LeaseLost || (cause instanceof RedisError error && error.passing());
    }
}
