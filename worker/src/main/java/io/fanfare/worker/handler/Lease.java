package io.fanfare.worker.handler;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.function.Function;

/**
 * The right to work on a batch. It ends by itself when this worker is cut off or stalled, and the jobs then run
 * elsewhere.
 */
public interface Lease {
    /**
     * Must be called before each side effect. Completes at once while the lease is known to be held; when it may have
     * ended, Redis is asked first. Fails with {@link LeaseLost} when it is gone - drop the work - and with a
     * {@code RedisError} when Redis cannot say.
     */
    Future<Void> ensure();

    /**
     * Checks in the step that settles the batch whether these statuses still exist. Call it before the writes: a delete
     * that runs between the read and the writes does not undo them.
     *
     * @param statuses of the shard of the batch
     * @param takeBack undoes the writes of those that were deleted, with the lease of the batch; called when one does
     *     not exist in Redis any more, and perhaps more than once. The batch is settled when it has succeeded
     */
    void check(Collection<Long> statuses, Function<Lease, Future<Void>> takeBack);

    /** The jobs of this batch belong to somebody else now: not an error, nothing is to be done about it. */
    final class LeaseLost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public LeaseLost(String batch) {
            super("lease lost, batch=" + batch, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }
}
