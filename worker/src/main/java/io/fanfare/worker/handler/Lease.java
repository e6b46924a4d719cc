package io.fanfare.worker.handler;

import io.vertx.core.Future;

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

    /** The jobs of this batch belong to somebody else now: not an error, nothing is to be done about it. */
    final class LeaseLost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public LeaseLost(String batch) {
            super("lease lost, batch=" + batch, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }
}
