package io.fanfare.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the command with a jar whose benchmarks report fixed figures. */
class AllCommandTest {
    @TempDir
    private Path dir;

    @Test
    void everyPeerOfAScenarioHasARowWithTheRatiosOfSpeedAndProcessorTime() throws IOException {
        Path results = dir.resolve("results");
        String table = all(0, """
                {"scenario":"home","contestants":[
                  {"name":"bare handler","per-second":8000.0,
                   "rounds":[{"units":1000,"cpu-seconds":{"server":0.010,"generator":9}}]},
                  {"name":"fanfare: a page","per-second":2000.0,
                   "rounds":[{"units":1000,"cpu-seconds":{"server":0.030,"redis":0.010,"generator":9}}]}]}""", "--results", results.toString());

        assertThat(table.lines().filter(line -> line.startsWith("home")))
                .hasSize(AllCommand.SCENARIOS.size())
                .allMatch(line -> line.matches(
                        "home +fanfare: a page +2,000 +40\\.00 +bare handler +8,000 +10\\.00 +0\\.25x +0\\.25x *"));
        assertThat(Files.readString(results.resolve("queue.txt")))
                .contains("arguments [bench, queue, --rounds, 1, --seconds, 1, --json, ");
    }

    @Test
    void aScenarioWithoutAPeerHasARowOfItsOwn() throws IOException {
        assertThat(all(0, """
                {"scenario":"queue","contestants":[{"name":"fanfare","per-second":5.0,
                  "rounds":[{"units":10,"cpu-seconds":{"redis":0.001}}]}]}""")).containsPattern("queue +fanfare +5 +100\\.00 +- +- +- +- +-");
    }

    @Test
    void aScenarioThatFailsHasARowThatSaysWhy() throws IOException {
        assertThat(all(1, "")).contains("failed with status 1: no redis-server can be started");
    }

    private String all(int status, String report, String... options) throws IOException {
        Path jar = FakeBenchmarks.jar(dir.resolve("jar"), report);
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(new AllCommand(MeasuredJar.of(jar)))
                            .execute(Stream.concat(Stream.of("--quick"), Stream.of(options))
                                    .toArray(String[]::new)))
                    .isEqualTo(status);
        } finally {
            System.setOut(out);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
