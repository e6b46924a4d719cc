package io.fanfare.client.stream;

import java.util.random.RandomGenerator;

/**
 * Waits between connections. The wait that the server demands wins; else a lost connection costs 250 ms more each time,
 * up to 16 s, and a busy server 5 s, doubled up to 320 s. All have jitter, so that a restart does not bring all clients
 * back at once. One thread.
 */
final class Backoff {
    private static final long STEP_MILLIS = 250;
    private static final long STEPS_MILLIS_MAX = 16_000;
    private static final long BUSY_MILLIS = 5_000;
    private static final long BUSY_MILLIS_MAX = 320_000;

    private final RandomGenerator random;
    private int failures;
    private int refusals;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** A connection is open. */
    void reset() {
        failures = 0;
        refusals = 0;
    }

    /** Failures since the last {@link #reset}. */
    int failures() {
        return failures;
    }

    /** @param demandedMillis of the server; negative = none */
    long afterLoss(long demandedMillis) {
        failures++;
        return demandedMillis >= 0 ? demandedMillis : jitter(Math.min(STEP_MILLIS * failures, STEPS_MILLIS_MAX));
    }

    /** @param demandedMillis of the server; negative = none */
    long afterRefusal(long demandedMillis) {
        failures++;
        refusals++;
        long wait = Math.min(BUSY_MILLIS << Math.min(refusals - 1, 10), BUSY_MILLIS_MAX);
        return demandedMillis >= 0 ? demandedMillis : jitter(wait);
    }

    /** Half of it at least. */
    private long jitter(long millis) {
        return millis - random.nextLong(millis / 2 + 1);
    }
}
