package io.fanfare.worker;

import io.fanfare.core.queue.Batch;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.LeaseRenewal;
import io.fanfare.redis.RedisError;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The lease of one batch, as far as this worker knows. Redis counts it from the moment a command arrives; counting from
 * the moment the command was sent, this side is never the last to think that it holds. One event loop.
 */
final class BatchLease implements Lease {
    private final Batch batch;
    private final JobQueue queue;
    private final LongSupplier nanos;
    private final long leaseNanos;
    /** By the statuses that they are for: a batch that is held runs again and registers the same. */
    private final Map<Set<Long>, Function<Lease, Future<Void>>> takeBacks = new LinkedHashMap<>();

    private long endNanos;
    private boolean gone;

    BatchLease(Batch batch, JobQueue queue, LongSupplier nanos, long leaseNanos, long sentNanos) {
        this.batch = batch;
        this.queue = queue;
        this.nanos = nanos;
        this.leaseNanos = leaseNanos;
        this.endNanos = sentNanos + leaseNanos;
    }

    @Override
    public Future<Void> ensure() {
        if (gone) {
            return lost();
        }
        if (nanos.getAsLong() - endNanos < 0) {
            return Future.succeededFuture();
        }
        long sent = nanos.getAsLong();
        return queue.beat(List.of(batch)).compose(beat -> afterBeat(beat, sent));
    }

    private Future<Void> afterBeat(LeaseRenewal beat, long sentNanos) {
        if (!beat.renewed().isEmpty()) {
            renewed(sentNanos);
            return gone ? lost() : Future.succeededFuture();
        }
        if (!beat.gone().isEmpty()) {
            end();
            return lost();
        }
        return Future.failedFuture(
                new RedisError(RedisError.Kind.UNAVAILABLE, "cannot ask for the lease of " + batch.name()));
    }

    /** A command sent at that time has renewed it. */
    void renewed(long sentNanos) {
        endNanos = Math.max(endNanos, sentNanos + leaseNanos);
    }

    @Override
    public void check(Collection<Long> statuses, Function<Lease, Future<Void>> takeBack) {
        takeBacks.put(Set.copyOf(statuses), takeBack);
    }

    /** The statuses to {@link #check}. */
    Set<Long> checked() {
        return takeBacks.keySet().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /** Takes back what was written of those that were deleted; after that none is left to check. */
    Future<Void> takeBack() {
        return Future.join(takeBacks.values().stream()
                        .map(each -> each.apply(this))
                        .toList())
                .onSuccess(done -> checkNothing())
                .mapEmpty();
    }

    void checkNothing() {
        takeBacks.clear();
    }

    /** It was taken away or given back. */
    void end() {
        gone = true;
    }

    private Future<Void> lost() {
        return Future.failedFuture(new LeaseLost(batch.name()));
    }
}
