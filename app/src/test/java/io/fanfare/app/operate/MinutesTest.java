package io.fanfare.app.operate;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.operate.Minutes.Minute;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinutesTest {
    private static final long HOUR = 500_000;
    private static final List<Long> FIGURES =
            List.of(12_000L, 48_000L, 3L, 240_000L, 99_000_000L, 12_800L, 1000L, 12L, 7L, 250L, 48_000L);

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMinuteOfAProcessIsThereOnceHoweverOftenItIsKept(boolean cluster) {
        try (Bench bench = new Bench(cluster ? TestRedis.cluster() : TestRedis.standalone())) {
            Minute last = new Minute(HOUR * 60 + 59, "a1b2", FIGURES);
            Minute next = new Minute((HOUR + 1) * 60, "a1b2", List.of(1L, 2L));
            Minute other = new Minute(HOUR * 60 + 59, "c3d4", List.of(5L));
            await(bench.minutes.keep(List.of(last, next, other)));
            await(bench.minutes.keep(List.of(last, next)));

            assertThat(await(bench.minutes.read(HOUR, HOUR + 1))).containsExactlyInAnyOrder(last, next, other);
            assertThat(await(bench.minutes.read(HOUR + 1, HOUR + 2))).containsExactly(next);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anHourEndsByItselfAndHasABoundInWhichEachOfItsProcessesHasAllOfItsMinutes(boolean cluster) {
        TestRedis redis = cluster ? TestRedis.cluster() : TestRedis.standalone();
        try (Bench bench = new Bench(redis)) {
            List<Minute> all = new ArrayList<>();
            for (int minute = 0; minute < 60; minute++) {
                for (int process = 0; process < Minutes.PROCESSES_MAX; process++) {
                    all.add(new Minute(HOUR * 60 + minute, "process" + process, FIGURES));
                }
            }
            assertThat(await(bench.minutes.keep(all))).isZero();
            Minute changed = new Minute(HOUR * 60, "process0", List.of(1L));
            assertThat(await(bench.minutes.keep(List.of(
                            new Minute(HOUR * 60, "late", FIGURES),
                            changed,
                            new Minute(HOUR * 60 + 59, "late", FIGURES)))))
                    .as("left out")
                    .isEqualTo(2);

            assertThat(await(bench.minutes.read(HOUR, HOUR)))
                    .hasSize(all.size())
                    .contains(changed)
                    .noneMatch(minute -> minute.process().equals("late"));
            String key = Keys.minutes(HOUR);
            assertThat(redis.askAt(key, "PTTL", key).asLong())
                    .isBetween(1L, Minutes.KEPT.plusHours(1).toMillis());
        }
    }

    @Test
    void fortyProcessesHaveTheEndOfTheHourToo() {
        try (Bench bench = new Bench(TestRedis.standalone())) {
            for (int minute = 0; minute < 60; minute++) {
                List<Minute> all = new ArrayList<>();
                for (int process = 0; process < 40; process++) {
                    all.add(new Minute(HOUR * 60 + minute, "process" + process, FIGURES));
                }
                assertThat(await(bench.minutes.keep(all))).as("left out").isZero();
            }
            assertThat(await(bench.minutes.read(HOUR, HOUR))).hasSize(40 * 60);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 32, 64})
    void anHourTakesLittleMemory(int processes) {
        TestRedis redis = TestRedis.standalone();
        try (Bench bench = new Bench(redis)) {
            List<Minute> all = new ArrayList<>();
            for (int process = 0; process < processes; process++) {
                for (int minute = 0; minute < 60; minute++) {
                    all.add(new Minute(HOUR * 60 + minute, "0a1b2c3" + process, FIGURES));
                }
            }
            await(bench.minutes.keep(all));
            String key = Keys.minutes(HOUR);
            long bytes =
                    redis.askAt(key, "MEMORY", "USAGE", key, "SAMPLES", "0").asLong();
            System.out.println("minutes: " + processes + " processes, an hour takes " + bytes + " bytes");
            // 72 hours of one process: less than 800 KB, whatever the encoding of the hash.
            assertThat(bytes / processes).isLessThan(11_000);
        }
    }

    /** On a Redis without these hours. */
    private final class Bench implements AutoCloseable {
        private final RedisLink link;
        private final Minutes minutes;

        Bench(TestRedis redis) {
            redis.askAt(Keys.minutes(HOUR), "DEL", Keys.minutes(HOUR));
            redis.askAt(Keys.minutes(HOUR + 1), "DEL", Keys.minutes(HOUR + 1));
            link = await(RedisLink.open(vertx, redis.options()));
            minutes = new Minutes(link);
        }

        @Override
        public void close() {
            await(link.close());
        }
    }
}
