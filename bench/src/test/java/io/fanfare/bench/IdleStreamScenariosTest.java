package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same for scenarios that mostly wait, beside the others. */
@Tag("programs")
class IdleStreamScenariosTest extends ScenarioRun {
    @Test
    void streamIdleAccountsWholeHeartbeats() throws IOException {
        JsonObject report =
                bench("stream-idle", "--streams", "20", "--heartbeat", "1", "--only-ours", "--warm-up", "1");
        JsonObject round = report.getJsonArray("contestants")
                .getJsonObject(0)
                .getJsonArray("rounds")
                .getJsonObject(0);
        assertThat(round.getLong("units")).isEqualTo(20);
        assertThat(report.getJsonObject("figures").getMap()).containsKeys("fanfare-bytes", "fanfare-us");
    }

    @Test
    void streamSlowComparesFastReadersWithAndWithoutSlowOnes() throws IOException {
        JsonObject report = bench("stream-slow", "--fast", "2", "--slow", "2", "--rate", "50", "--fill", "1");
        assertThat(report.getJsonArray("contestants")).hasSize(2);
        assertThat(report.getJsonObject("figures").getDouble("beside-delivered"))
                .isEqualTo(1.0);
    }
}
