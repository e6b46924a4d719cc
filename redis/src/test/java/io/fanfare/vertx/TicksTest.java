package io.fanfare.vertx;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    void timersThatWereSetAtDifferentTimesComeDueTogether() {
        List<Long> firsts = new CopyOnWriteArrayList<>();
        List<Long> seconds = new CopyOnWriteArrayList<>();
        vertx.runOnContext(turn -> {
            Ticks.every(vertx, INTERVAL_MILLIS, () -> firsts.add(System.nanoTime()));
            // Set between two ticks of the other one, as parts of a process that start one after the other set theirs.
            vertx.setTimer(
                    INTERVAL_MILLIS / 2,
                    later -> Ticks.every(vertx, INTERVAL_MILLIS, () -> seconds.add(System.nanoTime())));
        });
        awaitUntil("both run often", () -> seconds.size() >= 20);
        // Either may come due first, by less than a millisecond. The machine may delay single ones.
        long together = seconds.stream()
                .filter(second -> firsts.stream()
                        .anyMatch(first -> Math.abs(second - first) < MILLISECONDS.toNanos(INTERVAL_MILLIS / 4)))
                .count();
        assertThat(together).as("%s %s", firsts, seconds).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aTaskThatSetsItselfAgainRunsOnceInAnInterval() {
        List<Long> runs = new CopyOnWriteArrayList<>();
        long start = System.nanoTime();
        vertx.runOnContext(turn -> again(runs));
        awaitUntil("it runs often", () -> runs.size() >= 10);
        // The tenth run is at the tenth multiple or a later one, however late the machine makes the first.
        long millis = NANOSECONDS.toMillis(runs.get(9) - start);
        assertThat(millis).isGreaterThanOrEqualTo(9 * INTERVAL_MILLIS - 1);
    }

    private void again(List<Long> runs) {
        Ticks.next(vertx, INTERVAL_MILLIS, () -> {
            runs.add(System.nanoTime());
            again(runs);
        });
    }
}
