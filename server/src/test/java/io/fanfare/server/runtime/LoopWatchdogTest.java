package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.vertx.VertxInternals;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process of its own whose event loop really hangs; and loops of this one, at which the test itself looks. */
@Timeout(120)
class LoopWatchdogTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final int LOOKS_MAX = 4;
    private static final Duration HANG_MAX = LoopWatchdog.period(Duration.ZERO).multipliedBy(LOOKS_MAX);

    @TempDir
    Path dir;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final List<EventExecutor> loops = VertxInternals.eventLoops(vertx);
    private final Looks looks = new Looks();
    private final List<String> hung = new ArrayList<>();

    @AfterEach
    void close() {
        looks.shutdownNow();
        TestRedis.await(vertx.close());
    }

    @Test
    void aProcessWithAHungLoopReportsItsStackAndEnds() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Hanging.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("out").toFile())
                .start();
        try {
            assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS))
                    .as(output())
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(output()).isEqualTo(LoopWatchdog.STATUS);
        assertThat(output())
                .contains("the thread vert.x-eventloop-thread-0 has hung for 2 s (management.hang-max)")
                .contains("\"vert.x-eventloop-thread-0\" ", Hanging.class.getName() + ".hang")
                .contains("\"main\" ");
    }

    @Test
    void aLoopThatIsBusyForLessThanTheLimitGoesOnAndItsTimeStartsAgainAtZero() {
        LoopWatchdog watchdog = LoopWatchdog.start(vertx, HANG_MAX, looks, hung::add);
        for (int time = 0; time < 3; time++) {
            awaitAnswers(loops);
            CountDownLatch busy = keepBusy(loops.get(0));
            look(LOOKS_MAX);
            busy.countDown();
        }
        assertThat(hung).isEmpty();
        watchdog.close();
    }

    @Test
    void aLoopHangsFromTheLookThatCompletesTheLimitAndTheOthersDoNot() throws Exception {
        LoopWatchdog watchdog = LoopWatchdog.start(vertx, HANG_MAX, looks, hung::add);
        String name =
                loops.get(0).submit(() -> Thread.currentThread().getName()).get();
        CountDownLatch busy = keepBusy(loops.get(0));
        // The first of them asks what the loop does not answer.
        look(LOOKS_MAX);
        assertThat(hung).isEmpty();
        look(1);
        assertThat(hung).containsExactly(name);
        busy.countDown();
        watchdog.close();
    }

    @Test
    void looksThatAProcessMissedWhileItStoodStillAreNotMadeUpFor() {
        // At a fixed rate all of them would come at once, before the loop had a moment to answer.
        LoopWatchdog watchdog = LoopWatchdog.start(vertx, HANG_MAX, looks, hung::add);
        assertThat(looks.delayed).hasSize(1);
        watchdog.close();
        assertThat(looks.isShutdown()).isTrue();
    }

    @Test
    void withoutALimitNothingIsWatched() {
        LoopWatchdog watchdog = LoopWatchdog.start(vertx, Duration.ZERO, looks, hung::add);
        assertThat(looks.delayed).isEmpty();
        watchdog.close();
    }

    /** Until it is counted down. */
    private static CountDownLatch keepBusy(EventExecutor loop) {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1);
        loop.execute(() -> {
            began.countDown();
            await(busy);
        });
        await(began);
        return busy;
    }

    /** So many times, between which every loop but the first has the time to answer. */
    private void look(int times) {
        for (int i = 0; i < times; i++) {
            looks.delayed.forEach(Runnable::run);
            awaitAnswers(loops.subList(1, loops.size()));
        }
    }

    /** A loop runs its tasks in the order in which they were added. */
    private static void awaitAnswers(List<EventExecutor> loops) {
        for (EventExecutor loop : loops) {
            CountDownLatch answered = new CountDownLatch(1);
            loop.execute(answered::countDown);
            await(answered);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String output() throws Exception {
        return Files.readString(dir.resolve("out"), StandardCharsets.UTF_8);
    }

    /** The periodic tasks of the watchdog, run by the test instead. */
    private static final class Looks extends ScheduledThreadPoolExecutor {
        private final List<Runnable> delayed = new ArrayList<>();

        Looks() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable look, long first, long delay, TimeUnit unit) {
            assertThat(unit.toMillis(delay))
                    .isEqualTo(LoopWatchdog.period(Duration.ZERO).toMillis());
            delayed.add(look);
            return schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable look, long first, long period, TimeUnit unit) {
            throw new AssertionError("looks that were missed would be made up for");
        }
    }

    /** Blocks one of its two event loops for ever. */
    static final class Hanging {
        public static void main(String[] args) throws Exception {
            Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
            LoopWatchdog unused = LoopWatchdog.start(vertx, Duration.ofSeconds(2));
            vertx.runOnContext(v -> hang());
            new CountDownLatch(1).await();
        }

        private static void hang() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
