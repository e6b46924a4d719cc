package io.fanfare.common.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own, of which an event loop really hangs, or the whole process stands still. */
class LoopWatchdogTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    @Test
    void aProcessWithALoopThatHangsTellsWhatItWaitsForAndEnds() throws Exception {
        Process process = start("hang");
        assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS))
                .as(output())
                .isTrue();
        assertThat(process.exitValue()).as(output()).isEqualTo(LoopWatchdog.STATUS);
        assertThat(output())
                .contains("the thread vert.x-eventloop-thread-0 has hung for 2 s (management.hang-max)")
                .contains("\"vert.x-eventloop-thread-0\" ", Hanging.class.getName() + ".hang")
                .contains("\"main\" ");
    }

    @Test
    void aLoopThatIsBusyForAMomentAndAProcessThatIsNotWatchedGoOn() throws Exception {
        for (String what : new String[] {"busy", "unwatched"}) {
            Process process = start(what);
            assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS))
                    .as(output())
                    .isTrue();
            assertThat(process.exitValue()).as(what + output()).isZero();
        }
    }

    @Test
    void timeInWhichTheWholeProcessStandsStillDoesNotCount() throws Exception {
        Process process = start("busy");
        Awaitility.await().atMost(WAIT_MAX).until(() -> output().contains("begin"));
        signal("-STOP", process);
        long stopped = System.nanoTime();
        Awaitility.await()
                .atMost(WAIT_MAX)
                .until(() -> System.nanoTime() - stopped > Duration.ofSeconds(4).toNanos());
        signal("-CONT", process);
        assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output()).isZero();
    }

    private static void signal(String signal, Process process) throws Exception {
        int status = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(status).isZero();
    }

    private Process start(String what) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Hanging.class.getName(),
                        what)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("out").toFile())
                .start();
    }

    private String output() throws Exception {
        return Files.readString(dir.resolve("out"), StandardCharsets.UTF_8);
    }

    /** Blocks one of its two event loops. */
    static final class Hanging {
        public static void main(String[] args) throws Exception {
            Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
            Duration max = Duration.ofSeconds(args[0].equals("unwatched") ? 0 : args[0].equals("hang") ? 2 : 4);
            LoopWatchdog watchdog = LoopWatchdog.start(vertx, max);
            CountDownLatch done = new CountDownLatch(1);
            vertx.runOnContext(v -> {
                hang(args[0]);
                done.countDown();
            });
            boolean unused = done.await(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
            watchdog.close();
            System.exit(0);
        }

        private static void hang(String what) {
            System.out.println("begin");
            long seconds =
                    switch (what) {
                        case "hang" -> WAIT_MAX.toSeconds();
                        case "busy" -> 2;
                        default -> 5;
                    };
            try {
                boolean unused = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
