package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that takes its time, and one that does not come to an end. */
@Tag("programs")
class SlowStartTest {
    private static final Duration WAIT_MAX = Duration.ofMinutes(2);

    /** The longest start at a tenth of a core; it takes about a minute on an idle machine. */
    private static final Duration SLOW_MAX = Duration.ofMinutes(15);

    private static final String READY = "Fanfare is ready";
    private static final int LINES_MAX = 30;

    /** Runs for 10 ms and as long as it takes to start two programs, stands still for 190 ms. Ends with the process. */
    private static final String TENTH =
            "while kill -STOP \"$1\"; do sleep 0.19; kill -CONT \"$1\"; sleep 0.01; done 2>/dev/null";

    @TempDir
    Path dir;

    @Test
    void aStartThatDoesNotComeToAnEndIsEndedWithItsStage() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                FanfareProcess up = FanfareProcess.start(
                        dir.resolve("data"),
                        "up",
                        "--port",
                        "0",
                        "--set",
                        "management.start-max=10s",
                        "--set",
                        "auth.signing-key=000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f",
                        "--set",
                        "redis.url=redis://127.0.0.1:" + silent.getLocalPort())) {
            assertThat(up.awaitExit(WAIT_MAX)).as(up.output()).isEqualTo(5);
            assertThat(up.output())
                    .contains("fanfare: not ready after 10 s (management.start-max), the start was still opening the"
                            + " management server and connecting to Redis (redis.url); ending with status 5");
        }
    }

    @Test
    @Tag("faults")
    void aStartAtATenthOfACoreEndsReadyWithFewLinesAndIsNotTakenForHung() throws Exception {
        try (FanfareProcess up =
                FanfareProcess.start(dir.resolve("data"), "up", "--port", "0", "--set", "management.hang-max=5s")) {
            Process tenth = slowed(up.handle());
            try {
                Awaitility.await().atMost(SLOW_MAX).until(() -> up.output().contains(READY) || !up.isAlive());
            } finally {
                tenth.destroy();
                tenth.waitFor();
                new ProcessBuilder("kill", "-CONT", Long.toString(up.handle().pid()))
                        .start()
                        .waitFor();
            }
            String output = up.output();
            System.out.println(output);
            assertThat(output).contains(READY).doesNotContain("has been blocked for");
            assertThat(output.substring(0, output.indexOf(READY)).lines()).hasSizeLessThan(LINES_MAX);
            assertThat(up.stop(WAIT_MAX)).as(up.output()).isZero();
        }
    }

    private static Process slowed(ProcessHandle process) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", TENTH, "tenth", Long.toString(process.pid())).start();
    }
}
