package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.RedisLink;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Near the end of the range of a nanosecond clock, which may pass zero at any time. */
    private long now = Long.MAX_VALUE - SECOND / 2;

    private final ConcurrencyLimit concurrency = new ConcurrencyLimit(8, now);

    @Test
    void slowClaimsHalveTheLimitAndCalmOnesRaiseItSlowly() {
        assertThat(concurrency.limit()).isEqualTo(8);

        claim(RedisLink.SLOW_NANOS + 1);
        assertThat(concurrency.limit()).isEqualTo(4);
        claim(RedisLink.SLOW_NANOS + 1);
        assertThat(concurrency.limit()).as("one stall counts once").isEqualTo(4);
        now += SECOND;
        claim(RedisLink.SLOW_NANOS);
        assertThat(concurrency.limit()).isEqualTo(5);
        claim(0);
        assertThat(concurrency.limit()).isEqualTo(5);
        for (int i = 0; i < 10; i++) {
            now += SECOND;
            claim(0);
        }
        assertThat(concurrency.limit()).isEqualTo(8);
    }

    @Test
    void refusalsNeverStopItAltogether() {
        for (int i = 0; i < 10; i++) {
            now += SECOND;
            concurrency.refused(now);
        }
        assertThat(concurrency.limit()).isEqualTo(1);
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
        concurrency.claimed(now - tookNanos, now);
    }
}
