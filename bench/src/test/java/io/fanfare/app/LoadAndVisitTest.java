package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.bench.BenchCommand;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code bench load} and {@code bench visit}: {@code up} starts on what the first has filled. */
@Tag("programs")
@Timeout(480)
class LoadAndVisitTest {
    @TempDir
    Path dir;

    private int bench(String... arguments) {
        return new CommandLine(new BenchCommand()).execute(arguments);
    }

    private JsonObject figures(String scenario, String... options) throws IOException {
        Path report = dir.resolve(scenario + ".json");
        String[] arguments = Stream.of(new String[] {scenario, "--json", report.toString()}, options)
                .flatMap(Stream::of)
                .toArray(String[]::new);
        assertThat(bench(arguments)).isZero();
        return new JsonObject(Files.readString(report)).getJsonObject("figures");
    }

    @Test
    void upStartsOnAFilledFolderWhichIsWholeAndIsVisited() throws Exception {
        Path data = dir.resolve("data");
        JsonObject filled =
                figures("load", "--accounts", "400", "--follows", "20", "--posts", "3", "--data", data.toString());
        assertThat(filled.getDouble("follows")).isEqualTo(400 * 20);
        assertThat(filled.getDouble("homes")).isEqualTo(120);
        assertThat(filled.getDouble("follow-bytes")).isBetween(20.0, 200.0);
        assertThat(filled.getDouble("post-bytes")).isBetween(100.0, 500.0);
        // A home has the posts of 20 others and its reader.
        assertThat(filled.getDouble("entry-of-home-bytes")).isBetween(5.0, 30.0);
        assertThat(filled.getDouble("file-bytes")).isGreaterThan(100_000);
        assertThat(bench("load", "--accounts", "400", "--data", data.toString()))
                .as("a folder with data is left alone")
                .isNotZero();

        try (FanfareProcess up = FanfareProcess.up(data, "--set", "limits.enabled=false")) {
            JsonObject visited = figures(
                    "visit",
                    data.toString(),
                    data.toString(),
                    "--readers",
                    "200",
                    "--rounds",
                    "1",
                    "--seconds",
                    "1",
                    "--warm-up",
                    "1");
            assertThat(visited.getDouble("1-page-p99-ms")).isPositive();
            assertThat(visited.getDouble("1-post-p99-ms")).isPositive();
            assertThat(visited.getMap()).containsKeys("2-page-p99-ratio", "2-post-p99-ratio");

            CommandRun verified = CommandRun.of(List.of("admin", "verify", "--data", data.toString()));
            assertThat(verified.status()).as(verified.out() + verified.err()).isZero();
            assertThat(up.output()).doesNotContain("ERROR");
        }
    }

    @Test
    void visitNeedsARunningService() {
        assertThat(bench("visit", dir.toString())).isNotZero();
    }
}
