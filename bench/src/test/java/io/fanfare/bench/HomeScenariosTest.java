package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** That scenarios of home timelines run and report; what they measure is nobody's business here. */
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

    @Test
    void theMixReadsAGraphAndWritesBesideItsReads() throws IOException {
        Path graph = Files.writeString(dir.resolve("graph.edges"), "1 2\n2 3\n3 1\n4 1\n");
        JsonObject report = bench("mix", "--graph", graph.toString(), "--connections", "2");
        assertThat(report.getJsonArray("contestants")).hasSize(2);
        assertThat(report.getJsonObject("setting").getString("graph")).startsWith("4 users, 8 edges");
        assertThat(report.getJsonObject("figures").getDouble("mix-p99-ms")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("jobs-given-up")).isZero();
    }

    @Test
    void theDialIsComparedFromPurePullToPurePush() throws IOException {
        Path graph = Files.writeString(dir.resolve("graph.edges"), "1 2\n2 3\n3 1\n4 1\n5 1\n6 1\n6 2\n");
        JsonObject figures = bench(
                        "dial",
                        "--graph",
                        graph.toString(),
                        "--dials",
                        "2",
                        "--posts",
                        "20",
                        "--rate",
                        "200",
                        "--pages-per-post",
                        "3",
                        "--settle",
                        "1",
                        "--connections",
                        "2")
                .getJsonObject("figures");
        double push = figures.getDouble("pages-3-push-deliveries");
        assertThat(push).isGreaterThan(figures.getDouble("pages-3-dial-2-deliveries"));
        assertThat(figures.getDouble("pages-3-dial-2-deliveries")).isPositive();
        assertThat(figures.getDouble("pages-3-pull-deliveries")).isZero();
        assertThat(figures.getDouble("pages-3-pull-pulls-per-page")).isPositive();
        assertThat(figures.getDouble("pages-3-push-pulls-per-page")).isZero();
        assertThat(figures.getDouble("pages-3-dial-2-ratio")).isPositive();
    }
}
