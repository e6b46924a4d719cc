package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** That scenarios of home timelines run and report; what they measure is nobody's business here. */
@Tag("programs")
class HomeScenariosTest extends ScenarioRun {
    @Test
    void homeComparesWithABareHandler() throws IOException {
        JsonObject report = bench("home", "--users", "20", "--followees", "4", "--connections", "2", "--posts", "20");
        assertThat(report.getJsonArray("contestants")).hasSize(5);
        assertThat(report.getJsonObject("figures").getDouble("home-p99-ms")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("ratio-while-liked"))
                .isPositive();
        assertThat(report.getJsonObject("figures").getDouble("ratio-with-20-posts"))
                .isPositive();
    }

    @Test
    void homeIsMeasuredAfterABacklog() throws IOException {
        JsonObject report = bench(
                "home",
                "--users",
                "20",
                "--followees",
                "4",
                "--connections",
                "2",
                "--after-backlog",
                "--expired",
                "20");
        assertThat(report.getJsonArray("contestants")).hasSize(4);
        assertThat(report.getJsonObject("figures").getDouble("ratio-to-before-the-backlog"))
                .isPositive();
        assertThat(report.getJsonObject("figures").getDouble("homes-not-whole")).isZero();
        assertThat(report.getJsonObject("figures").getDouble("first-read-of-an-expired-home-p99-ms"))
                .isPositive();
    }

    @Test
    void homeRefusesPostsThatWouldReplaceWhatItMeasures() {
        for (String[] homes : new String[][] {{"--after-backlog"}, {"--pull-news", "2"}}) {
            String[] options =
                    Stream.concat(Stream.of("--posts", "20"), Stream.of(homes)).toArray(String[]::new);
            assertThat(exit("home", options)).isEqualTo(ExitCode.USAGE);
        }
    }
}
