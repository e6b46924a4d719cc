package io.fanfare.vertx;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TicksTest {
    private static final long INTERVAL_MILLIS = 40;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1000, 1000",
        "1_000, 1000, 1000",
        "600_000, 1000, 999",
        "999_000_000, 1000, 1",
        "999_400_000, 1000, 1",
        "999_600_000, 1000, 1000",
        "1_000_400_000, 1000, 1000",
        "2_500_000_000, 2000, 1500",
        "7_000_000, 1, 1"
    })
    void aTimerComesDueAtTheNextMultipleOfItsInterval(String nanos, long interval, long wait) {
        assertThat(Ticks.untilNext(Long.parseLong(nanos.replace("_", "")), interval))
                .isEqualTo(wait);
    }

    @Test
    void timersThatWereSetAtDifferentTimesComeDueInTheSameTurn() {
        List<String> order = new CopyOnWriteArrayList<>();
        List<Long> apart = new CopyOnWriteArrayList<>();
        long[] first = new long[1];
        vertx.runOnContext(turn -> {
            Ticks.every(vertx, INTERVAL_MILLIS, () -> {
                first[0] = System.nanoTime();
                order.add("first");
            });
            // Set between two ticks of the other one, as parts of a process that start one after the other set theirs.
            vertx.setTimer(
                    INTERVAL_MILLIS / 2,
                    later -> Ticks.every(vertx, INTERVAL_MILLIS, () -> {
                        apart.add(System.nanoTime() - first[0]);
                        order.add("second");
                    }));
        });
        awaitUntil("both run often", () -> apart.size() >= 10);
        long together = apart.stream()
                .filter(nanos -> nanos < TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS / 4))
                .count();
        assertThat(together).as("%s %s", apart, order).isGreaterThanOrEqualTo(6);
    }

    @Test
    void aTaskThatSetsItselfAgainRunsOnceInAnInterval() {
        List<Long> runs = new CopyOnWriteArrayList<>();
        vertx.runOnContext(turn -> again(runs));
        awaitUntil("it runs often", () -> runs.size() >= 10);
        long millis = TimeUnit.NANOSECONDS.toMillis(runs.get(9) - runs.get(0));
        assertThat(millis).isGreaterThanOrEqualTo(9 * INTERVAL_MILLIS - INTERVAL_MILLIS / 2);
    }

    private void again(List<Long> runs) {
        Ticks.next(vertx, INTERVAL_MILLIS, () -> {
            runs.add(System.nanoTime());
            again(runs);
        });
    }
}
