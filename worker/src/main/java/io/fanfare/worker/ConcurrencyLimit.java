package io.fanfare.worker;

import io.fanfare.redis.RedisLink;
import java.util.concurrent.TimeUnit;

/**
 * How many batches may be in flight: halved when Redis is slow or refuses, one more after each calm second, as TCP does
 * with its window. One event loop.
 */
final class ConcurrencyLimit {
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int max;
    private int limit;
    private long changedNanos;

    ConcurrencyLimit(int max, long nowNanos) {
        this.max = max;
        this.limit = max;
        this.changedNanos = nowNanos - STEP_NANOS;
    }

    int limit() {
        return limit;
    }

    /**
     * Takes note of a claim. Changes the limit at most once a second, so that one stall is not punished once per batch.
     */
    void claimed(long sentNanos, long nowNanos) {
        change(nowNanos - sentNanos > RedisLink.SLOW_NANOS, nowNanos);
    }

    /** Takes note of a claim that Redis refused or did not answer. */
    void refused(long nowNanos) {
        change(true, nowNanos);
    }

    private void change(boolean trouble, long nowNanos) {
        if (nowNanos - changedNanos < STEP_NANOS) {
            return;
        }
        limit = trouble ? Math.max(1, limit / 2) : Math.min(max, limit + 1);
        changedNanos = nowNanos;
    }
}
