package io.fanfare.redis.embedded;

import java.time.Duration;

/**
 * For how long a server that is asked again and again has said nothing. What a question takes beyond the time that an
 * answer may take does not count: whoever asked was not run, and on a machine that stood still the server was not
 * either.
 */
final class StartupWatchdog {
    private final long max;
    private final long questionMax;
    private long attemptNanos;
    private long lasted;

    /**
     * @param max how long is too long
     * @param questionMax how long an answer may take
     * @param nanos elapsed time when the first question is asked
     */
    StartupWatchdog(Duration max, Duration questionMax, long nanos) {
        this.max = max.toNanos();
        this.questionMax = questionMax.toNanos();
        this.attemptNanos = nanos;
    }

    /** A question has been asked in vain; answers whether that is enough. */
    boolean isTooLong(long nanos) {
        lasted += Math.min(nanos - attemptNanos, questionMax);
        attemptNanos = nanos;
        return lasted > max;
    }

    /** It has said something. */
    void ended(long nanos) {
        lasted = 0;
        attemptNanos = nanos;
    }
}
