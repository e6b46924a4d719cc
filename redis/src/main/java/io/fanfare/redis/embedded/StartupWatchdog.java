package io.fanfare.redis.embedded;

import java.time.Duration;

/**
 * Measures how long a server has answered no probe. The time of a probe beyond the limit of an answer does not count:
 * this process was not running then, and on a machine that stood still neither was the server.
 */
final class StartupWatchdog {
    private final long max;
    private final long questionMax;
    private long attemptNanos;
    private long lasted;

    /**
     * @param max how long is too long
     * @param questionMax how long an answer may take
     * @param nanos elapsed time at the first probe
     */
    StartupWatchdog(Duration max, Duration questionMax, long nanos) {
        this.max = max.toNanos();
        this.questionMax = questionMax.toNanos();
        this.attemptNanos = nanos;
    }

    /** Notes a probe without an answer; true if the silence is too long. */
    boolean isTooLong(long nanos) {
        lasted += Math.min(nanos - attemptNanos, questionMax);
        attemptNanos = nanos;
        return lasted > max;
    }

    /** Notes an answer. */
    void ended(long nanos) {
        lasted = 0;
        attemptNanos = nanos;
    }
}
