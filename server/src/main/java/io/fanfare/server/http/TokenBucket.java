package io.fanfare.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A rate limit with bursts: so many at once, then one at an even pace. Confined to one event loop. */
public final class TokenBucket {
    private final long stepNanos;
    private final long burstNanos;

    /** When all that was taken will have been made up for. */
    private long fullAtNanos;

    /**
     * A full bucket.
     *
     * @param nanos elapsed time now
     */
    public TokenBucket(int burst, int perSecond, long nanos) {
        this(burst, Duration.ofNanos(TimeUnit.SECONDS.toNanos(1) / perSecond), nanos);
    }

    /**
     * The same, for less than one a second.
     *
     * @param step between two tokens
     */
    public TokenBucket(int burst, Duration step, long nanos) {
        this.stepNanos = step.toNanos();
        this.burstNanos = burst * stepNanos;
        this.fullAtNanos = nanos;
    }

    /** Takes one; false when none is left. Must be called with times that do not go back. */
    public boolean take(long nanos) {
        if (waitNanos(nanos) > 0) {
            return false;
        }
        fullAtNanos = nanos + owed(nanos);
        return true;
    }

    /** How long until one can be taken; 0 = it can. Takes none. */
    public long waitNanos(long nanos) {
        return Math.max(0, owed(nanos) - burstNanos);
    }

    /** The time until the bucket is full again when one more token is taken. */
    private long owed(long nanos) {
        return Math.max(0, fullAtNanos - nanos) + stepNanos;
    }
}
