package io.fanfare.client.stream;

import java.util.random.RandomGenerator;

/**
 * Waits between connections. The wait that the server demands wins, within 50 ms and 10 minutes; else a lost connection
 * costs 250 ms more each time, up to 16 s, and a busy server 5 s, doubled up to 320 s. These have jitter, so that a
 * restart does not bring all clients back at once. One thread.
 */
final class Backoff {
    private static final long STEP_MILLIS = 250;
    private static final long STEPS_MILLIS_MAX = 16_000;
    private static final long BUSY_MILLIS = 5_000;
    private static final long BUSY_MILLIS_MAX = 320_000;

    /** Bounds of a wait that the server demands: neither a flood of connections nor a stream that never returns. */
    private static final long DEMANDED_MILLIS_MIN = 50;

    private static final long DEMANDED_MILLIS_MAX = 600_000;

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
        return wait(demandedMillis, Math.min(STEP_MILLIS * failures, STEPS_MILLIS_MAX));
    }

    /** @param demandedMillis of the server; negative = none */
    long afterRefusal(long demandedMillis) {
        failures++;
        refusals++;
        return wait(demandedMillis, Math.min(BUSY_MILLIS << Math.min(refusals - 1, 10), BUSY_MILLIS_MAX));
    }

    private long wait(long demandedMillis, long own) {
        return demandedMillis < 0
                ? jitter(own)
                : Math.max(DEMANDED_MILLIS_MIN, Math.min(demandedMillis, DEMANDED_MILLIS_MAX));
    }

    /** Half of it at least. */
    private long jitter(long millis) {
        return millis - random.nextLong(millis / 2 + 1);
    }
}
