package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar of this module, alone. */
class StartTest {
    private static final int WAIT_MAX_SECONDS = 60;

    @TempDir
    Path dir;

    @Test
    void withoutTheJarOfTheProductASentenceSaysWhereItBelongs() throws Exception {
        URI classes =
                Start.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path output = dir.resolve("output");
        Process start = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Path.of(classes).toString(),
                        Start.class.getName(),
                        "bench",
                        "queue")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(start.waitFor(WAIT_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(start.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output))
                .contains("fanfare: fanfare.jar is missing: put it in the folder of fanfare-bench.jar")
                .doesNotContain("\tat ");
    }
}
