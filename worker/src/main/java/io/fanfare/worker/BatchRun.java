package io.fanfare.worker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.core.queue.Batch;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisError;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One claimed batch, from its first handler to its settlement. While Redis is away it holds: jobs that are done stay
 * done, the others are tried again after a pause, and no attempt is counted. It ends in exactly one way, see
 * {@link End}. One event loop.
 */
final class BatchRun {
    private static final Logger LOG = LoggerFactory.getLogger(BatchRun.class);

    /** How a run ends. */
    enum End {
        /** Every job has its outcome in Redis. */
        SETTLED,
        /**
         * Redis did not answer the settlement and now says that the lease is gone: most likely it had been done, else
         * the jobs run elsewhere.
         */
        PERHAPS_SETTLED,
        /** The lease was taken away: the jobs run elsewhere. */
        LOST,
        /** Redis does not take the settlement, for a reason that waiting does not cure: the lease will end. */
        FAILED,
        /** Given back by {@link #release}. */
        ABANDONED
    }

    /** The calls of a run to the worker, on the event loop. */
    interface Listener {
        /**
         * How long the batch may be held as of now, ns; then what is open is put off, so that one node's outage does
         * not hold up the work of the others.
         */
        long holdMaxNanos(BatchRun run);

        /**
         * The handlers are done, but Redis cannot take the settlement now. The run goes on trying; it does nothing else
         * any more.
         */
        void stuck(BatchRun run);

        /** The handlers are done: the claim to make in the step that settles, from the same shard; null = none. */
        Next next(BatchRun run);

        /** Called once, unless the run is abandoned. */
        void ended(BatchRun run);
    }

    /** A claim that goes with the settlement. One of the last two is called, after the settlement is known. */
    interface Next {
        String batch();

        int max();

        void claimed(Batch batch);

        void failed(Throwable cause);
    }

    private final Vertx vertx;
    private final JobQueue queue;
    private final JobHandlers handlers;
    private final RetryPolicy retry;
    private final LongSupplier nanos;
    private final Batch batch;
    private final BatchLease lease;
    private final Outcome[] outcomes;
    private final Backoff backoff;
    private final Listener listener;
    private long heldSinceNanos;
    private boolean held;

    /** The timer of the next try while it is held. */
    private long pause = -1;

    private boolean stuck;
    private boolean hasNext;
    private boolean settleUnanswered;
    private End end;

    BatchRun(
            Vertx vertx,
            JobQueue queue,
            JobHandlers handlers,
            RetryPolicy retry,
            LongSupplier nanos,
            RandomGenerator random,
            Batch batch,
            BatchLease lease,
            Listener listener) {
        this.vertx = vertx;
        this.queue = queue;
        this.handlers = handlers;
        this.retry = retry;
        this.nanos = nanos;
        this.batch = batch;
        this.lease = lease;
        this.outcomes = new Outcome[batch.jobs().size()];
        this.backoff = new Backoff(random);
        this.listener = listener;
    }

    Batch batch() {
        return batch;
    }

    BatchLease lease() {
        return lease;
    }

    /** The outcome of each job; complete once the run has ended as SETTLED or PERHAPS_SETTLED. */
    List<Outcome> outcomes() {
        return Arrays.asList(outcomes);
    }

    /** Whether it only waits for Redis to take its settlement. */
    boolean isStuck() {
        return stuck || hasNext;
    }

    /** Whether a claim goes with the settlement. */
    boolean hasNext() {
        return hasNext;
    }

    /** Whether a job is continued by another. */
    boolean isContinued() {
        return Arrays.stream(outcomes).anyMatch(Outcome.Continued.class::isInstance);
    }

    /** Null while it runs. */
    End end() {
        return end;
    }

    void start() {
        List<Integer> open = openPlaces();
        List<ClaimedJob> jobs = open.stream().map(batch.jobs()::get).toList();
        lease.ensure()
                .compose(ensured -> handlers.run(jobs, lease))
                .onComplete(runs -> ran(open, runs), this::interrupted);
    }

    /**
     * Ends the run without settling, at once: handlers still under way stop before their next side effect. Answers when
     * the batch has been put back.
     */
    Future<Void> release() {
        if (end != null) {
            return Future.succeededFuture();
        }
        end = End.ABANDONED;
        lease.end();
        return queue.release(batch);
    }

    /** Instead of {@link #start}: its jobs are to be tried later. No attempt is counted. */
    void putOff() {
        openPlaces().forEach(i -> outcomes[i] = retry.noTime());
        settle();
    }

    private List<Integer> openPlaces() {
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                open.add(i);
            }
        }
        return open;
    }

    private void ran(List<Integer> places, List<Future<Outcome>> runs) {
        Throwable interruption = null;
        for (int k = 0; k < places.size(); k++) {
            Future<Outcome> run = runs.get(k);
            if (run.succeeded()) {
                outcomes[places.get(k)] = run.result();
            } else if (!(interruption instanceof Lease.LeaseLost)) {
                interruption = run.cause();
            }
        }
        if (interruption == null) {
            settle();
        } else {
            interrupted(interruption);
        }
    }

    private void interrupted(Throwable cause) {
        if (cause instanceof Lease.LeaseLost) {
            end(End.LOST);
            return;
        }
        long leftNanos = leftToHold(cause);
        if (leftNanos <= 0) {
            openPlaces().forEach(i -> outcomes[i] = retry.away());
            settle();
            return;
        }
        LOG.debug("batch held batch={} cause={}", batch.name(), cause.getMessage());
        pause = later(Math.min(backoff.next(), 1 + TimeUnit.NANOSECONDS.toMillis(leftNanos)), this::start);
    }

    /** How long the batch may still be held, ns. Not at all for a shard that moves, which may take minutes. */
    private long leftToHold(Throwable cause) {
        if (!held) {
            held = true;
            heldSinceNanos = nanos.getAsLong();
        }
        return cause instanceof RedisError error && error.isOfMove()
                ? 0
                : listener.holdMaxNanos(this) - (nanos.getAsLong() - heldSinceNanos);
    }

    /**
     * Ends the pause of a batch that is held, since a job waits to run with nothing beside it: so that the batch is put
     * off as soon as it has been held for long enough, and not only after its pause.
     */
    void makeWay() {
        if (end == null && vertx.cancelTimer(pause)) {
            start();
        }
    }

    private void settle() {
        if (end != null) {
            return;
        }
        // A settlement that is repeated goes by itself: the claim is repeated by the worker.
        Next next = stuck ? null : listener.next(this);
        hasNext = next != null;
        if (next == null) {
            queue.settle(batch, outcomes(), lease.checked()).onComplete(this::settled, this::settleFailed);
            return;
        }
        queue.settleAndFetch(batch, outcomes(), lease.checked(), next.batch(), next.max())
                .onComplete(
                        turn -> {
                            settled(turn.settlement());
                            next.claimed(turn.next());
                        },
                        cause -> {
                            settleFailed(cause);
                            next.failed(cause);
                        });
    }

    private void settled(JobQueue.Settlement settlement) {
        switch (settlement) {
            case DONE -> end(End.SETTLED);
            case LOST -> end(settleUnanswered ? End.PERHAPS_SETTLED : End.LOST);
            case STATUS_GONE -> {
                becomeStuck();
                lease.takeBack().onComplete(done -> settle(), this::takeBackFailed);
            }
        }
    }

    /** Tries again for as long as the batch may be held. Nobody sees what then stays: readers hide deleted statuses. */
    private void takeBackFailed(Throwable cause) {
        boolean passing = cause instanceof RedisError error && error.passing();
        if (cause instanceof Lease.LeaseLost) {
            end(End.LOST);
        } else if (passing && leftToHold(cause) > 0) {
            later(backoff.next(), this::settle);
        } else {
            LOG.warn("homes keep ids of deleted statuses batch={} cause={}", batch.name(), RetryPolicy.describe(cause));
            lease.checkNothing();
            settle();
        }
    }

    private void becomeStuck() {
        if (!stuck && end == null) {
            stuck = true;
            listener.stuck(this);
        }
    }

    private void settleFailed(Throwable cause) {
        if (cause instanceof RedisError error && error.passing()) {
            settleUnanswered |= error.kind() == RedisError.Kind.LOST;
            later(backoff.next(), this::settle);
            becomeStuck();
            return;
        }
        LOG.error("batch cannot be settled batch={} cause={}", batch.name(), RetryPolicy.describe(cause), cause);
        end(End.FAILED);
    }

    @CanIgnoreReturnValue
    private long later(long millis, Runnable step) {
        return vertx.setTimer(millis, timer -> {
            if (end == null) {
                step.run();
            }
        });
    }

    private void end(End how) {
        if (end == null) {
            end = how;
            lease.end();
            listener.ended(this);
        }
    }
}
