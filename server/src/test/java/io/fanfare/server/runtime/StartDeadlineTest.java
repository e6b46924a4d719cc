package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At whose looks the test itself decides: no time passes. */
class StartDeadlineTest {
    private static final int LOOKS_MAX = 4;
    private static final Duration MAX = StartDeadline.PERIOD.multipliedBy(LOOKS_MAX);

    private final Looks looks = new Looks();
    private final List<String> late = new ArrayList<>();
    private final StartDeadline start = StartDeadline.begin(MAX, looks, late::add);

    @AfterEach
    void close() {
        start.close();
    }

    @Test
    void aStartThatTakesTooLongIsEndedWithTheStagesThatItIsIn() {
        StartDeadline.Stage done = start.enter("connecting to Redis (redis.url)");
        look(LOOKS_MAX - 1);
        done.end();
        enter("starting http", "starting search");
        assertThat(late).isEmpty();

        look(1);

        assertThat(late)
                .containsExactly("not ready after 4 s (management.start-max), the start was still starting http,"
                        + " starting search");
    }

    @Test
    void theTimeOfAStageWithoutALimitDoesNotCount() {
        StartDeadline.Stage loading = start.enterUnlimited("starting redis-server, which loads its data");
        StartDeadline.Stage beside = start.enter("reading certificates");
        look(10 * LOOKS_MAX);
        beside.end();
        loading.end();
        enter("starting worker");
        look(LOOKS_MAX - 1);
        assertThat(late).isEmpty();

        look(1);

        assertThat(late).singleElement().asString().endsWith("the start was still starting worker");
    }

    @Test
    void nothingEndsAServiceThatIsReady() {
        enter("starting http");
        start.close();

        assertThat(looks.isShutdown()).isTrue();
        assertThat(late).isEmpty();
    }

    @Test
    void withoutALimitAStartMayTakeAsLongAsItTakes() {
        Looks none = new Looks();
        try (StartDeadline unlimited = StartDeadline.begin(Duration.ZERO, none, late::add)) {
            StartDeadline.Stage unused = unlimited.enter("starting http");
            assertThat(none.delayed).isEmpty();
        }
    }

    private void enter(String... stages) {
        for (String stage : stages) {
            StartDeadline.Stage unused = start.enter(stage);
        }
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            looks.delayed.forEach(Runnable::run);
        }
    }

    /** Keeps the looks for the test to run them. */
    private static final class Looks extends ScheduledThreadPoolExecutor {
        private final List<Runnable> delayed = new ArrayList<>();

        Looks() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable look, long first, long delay, TimeUnit unit) {
            assertThat(unit.toMillis(delay)).isEqualTo(StartDeadline.PERIOD.toMillis());
            delayed.add(look);
            return schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable look, long first, long period, TimeUnit unit) {
            throw new AssertionError("looks that were missed would be made up for");
        }
    }
}
