package io.fanfare.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every operation of openapi.yaml and every message of a WebSocket, in shapes that a hostile client would choose.
 * {@code -Dseed=N} repeats a run; {@code -Dfuzz.seconds=N} makes it longer or shorter.
 */
class FuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /** The seed of the short form, so that it tries the same in each build. The long form draws its own. */
    private static final long SHORT_SEED = 10126891277016L;

    private static final int SHORT_SECONDS = 12;
    private static final int SHORT_ATTACKS = 2500;
    private static final int LONG_SECONDS = 3600;
    private static final int CONNECTIONS = 4;

    /** A long run spends one part in this many with the rate limits in force. */
    private static final int PART_WITH_LIMITS = 10;

    @Tag("programs")
    @Test
    void noRequestCostsMoreThanItsBytesAreWorth() throws Exception {
        long seed = Long.getLong("seed", SHORT_SEED);
        TestRedis.standalone().flush();
        try (Fuzz fuzz = new Fuzz(TestRedis.standalone(), seed, /* connections= */ 1, /* rateLimits= */ false)) {
            assertThat(fuzz.idle().allocated()).as("the noise of a second").isLessThan(Fuzz.BYTES_MORE);
            fuzz.runBriefly(Long.getLong("fuzz.seconds", SHORT_SECONDS), SHORT_ATTACKS);
            check(fuzz, seed);
        }
    }

    @Test
    @Tag("faults")
    void noRequestCostsMoreThanItsBytesAreWorthInAnHour() throws Exception {
        long seconds = Long.getLong("fuzz.seconds", LONG_SECONDS);
        TestRedis.standalone().flush();
        try (Fuzz fuzz = new Fuzz(TestRedis.standalone(), SEED, CONNECTIONS, /* rateLimits= */ false)) {
            fuzz.run(seconds - seconds / PART_WITH_LIMITS);
            check(fuzz, SEED);
        }
        TestRedis.standalone().flush();
        try (Fuzz fuzz = new Fuzz(TestRedis.standalone(), SEED + 1, CONNECTIONS, /* rateLimits= */ true)) {
            fuzz.run(seconds / PART_WITH_LIMITS);
            check(fuzz, SEED + 1);
        }
    }

    private static void check(Fuzz fuzz, long seed) {
        System.out.println("seed=" + seed + " " + fuzz.summary());
        assertThat(fuzz.findings()).as("seed=" + seed).isEmpty();
    }
}
