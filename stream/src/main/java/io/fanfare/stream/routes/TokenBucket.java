package io.fanfare.stream.routes;

import java.util.concurrent.TimeUnit;

/** A rate limit with bursts: so many at once, then so many a second. Confined to one event loop. */
final class TokenBucket {
    private final long stepNanos;
    private final long burstNanos;

    /** When all that was taken will have been made up for. */
    private long fullAtNanos;

    /**
     * A full bucket.
     *
     * @param nanos elapsed time now
     */
    TokenBucket(int burst, int perSecond, long nanos) {
        this.stepNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.burstNanos = burst * stepNanos;
        this.fullAtNanos = nanos;
    }

    /** Takes one; false when none is left. To be asked at times that do not go back. */
    boolean take(long nanos) {
        long owed = Math.max(0, fullAtNanos - nanos) + stepNanos;
        if (owed > burstNanos) {
            return false;
        }
        fullAtNanos = nanos + owed;
        return true;
    }
}
