package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same for scenarios that read a graph: they run in a JVM of their own, beside the others. */
@Tag("programs")
class GraphScenariosTest extends ScenarioRun {
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
