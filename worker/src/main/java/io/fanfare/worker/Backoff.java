package io.fanfare.worker;

import java.util.random.RandomGenerator;

/**
 * Growing pauses between tries while Redis is away: about 50 ms at first, 5 s at most, scattered so that workers do not
 * come back in step.
 */
final class Backoff {
    static final long MAX_MILLIS = 5_000;

    private static final long FIRST_MILLIS = 50;

    private final RandomGenerator random;
    private int tries;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** The next pause, ms. */
    long next() {
        long bound = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(tries++, 10));
        return bound / 2 + random.nextLong(bound / 2 + 1);
    }
}
