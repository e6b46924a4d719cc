package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Near the end of the range of a nanosecond clock, which may pass zero at any time. */
    private long now = Long.MAX_VALUE - SECOND / 2;

    private final Pace pace = new Pace(8, now);

    @Test
    void slowClaimsHalveTheLimitAndCalmOnesRaiseItSlowly() {
        assertThat(pace.limit()).isEqualTo(8);

        claim(Pace.SLOW_NANOS + 1);
        assertThat(pace.limit()).isEqualTo(4);
        claim(Pace.SLOW_NANOS + 1);
        assertThat(pace.limit()).as("one stall counts once").isEqualTo(4);
        now += SECOND;
        claim(Pace.SLOW_NANOS);
        assertThat(pace.limit()).isEqualTo(5);
        claim(0);
        assertThat(pace.limit()).isEqualTo(5);
        for (int i = 0; i < 10; i++) {
            now += SECOND;
            claim(0);
        }
        assertThat(pace.limit()).isEqualTo(8);
    }

    @Test
    void refusalsNeverStopItAltogether() {
        for (int i = 0; i < 10; i++) {
            now += SECOND;
            pace.refused(now);
        }
        assertThat(pace.limit()).isEqualTo(1);
    }

    @Test
    void pausesGrowToFiveSecondsAndAreScattered() {
        Backoff backoff = new Backoff(new Random(1));
        long pause = backoff.next();
        assertThat(pause).isBetween(25L, 50L);
        for (int i = 0; i < 50; i++) {
            pause = backoff.next();
        }
        assertThat(pause).isBetween(2_500L, 5_000L);
    }

    private void claim(long tookNanos) {
        pace.claimed(now - tookNanos, now);
    }
}
