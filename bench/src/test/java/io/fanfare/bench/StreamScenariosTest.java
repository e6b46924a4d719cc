package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same for scenarios of streams: they run in a JVM of their own, beside the others. */
@Tag("programs")
class StreamScenariosTest extends ScenarioRun {
    @Test
    void streamDenseDeliversAllThatWasPublished() throws IOException {
        JsonObject report = bench("stream-dense", "--streams", "3", "--rate", "500", "--only-ours", "--warm-up", "1");
        assertThat(report.getJsonObject("figures").getDouble("fanfare-delivered"))
                .isEqualTo(1.0);
        assertThat(report.getJsonObject("figures").getDouble("fanfare-p99-ms")).isPositive();
    }

    @Test
    void streamSparseDeliversAllThatWasPublished() throws IOException {
        JsonObject report = bench("stream-sparse", "--streams", "5", "--rate", "50", "--only-ours", "--warm-up", "1");
        assertThat(report.getJsonObject("figures").getDouble("fanfare-delivered"))
                .isEqualTo(1.0);
        assertThat(report.getJsonObject("figures").getDouble("fanfare-whole")).isEqualTo(5);
    }

    @Test
    void streamLatencyDeliversEachEventToItsFilter() throws IOException {
        JsonObject report = bench("stream-latency", "--filters", "4", "--rate", "50", "--only-ours", "--warm-up", "1");
        assertThat(report.getJsonObject("figures").getDouble("fanfare-delivered"))
                .isEqualTo(1.0);
        assertThat(report.getJsonObject("figures").getDouble("fanfare-p50-ms")).isPositive();
    }

    @Test
    void streamFilterComparesTheIndexWithAskingEveryFilter() throws IOException {
        JsonObject report =
                bench("stream-filter", "--filters", "20", "--phrases", "200", "--few-phrases", "20", "--events", "200");
        assertThat(report.getJsonArray("contestants")).hasSize(4);
        assertThat(report.getJsonObject("figures").getDouble("p99-us")).isPositive();
    }

    @Test
    void streamFilterOpensItsFiltersOnAServerThatHasJustStarted() throws IOException {
        JsonObject report = bench("stream-filter", "--reconnect", "--filters", "30");
        assertThat(report.getJsonObject("figures").getDouble("cold-seconds")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("warm-p99-ms")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("cold-cpu-seconds"))
                .isPositive();
    }
}
