package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** A worker looks only every ten seconds for failovers to repair, so that this takes longer than other scenarios. */
class FailoverScenarioTest extends ScenarioRun {
    @Test
    @Tag("faults")
    void failoversLoseOnlyWhatReplicationHadNotReceived() throws IOException {
        JsonObject figures = bench(
                        "failover",
                        "--failovers",
                        "3",
                        "--node-timeout",
                        "1000",
                        "--users",
                        "500",
                        "--fan-out",
                        "18",
                        "--entries",
                        "40",
                        "--shards",
                        "8",
                        "--rate",
                        "60",
                        "--reads",
                        "60",
                        "--warm-up",
                        "1",
                        "--seconds",
                        "0.5")
                .getJsonObject("figures");
        assertThat(figures.getDouble("acknowledged")).isGreaterThan(100);
        assertThat(figures.getDouble("repeated")).isPositive();
        assertThat(figures.getDouble("generations")).isGreaterThanOrEqualTo(3);
        // The replica of the second one followed, that of the third one was cut off for half a second.
        assertThat(figures.getDouble("failover-1-lost")).isZero();
        assertThat(figures.getDouble("failover-2-stopped-s")).isGreaterThan(1);
        assertThat(figures.getDouble("failover-3-lost")).isPositive();
        assertThat(figures.getDouble("differences")).isZero();
        assertThat(figures.getDouble("homes-other")).isZero();
        assertThat(figures.getDouble("unknown")).isZero();
        assertThat(figures.getDouble("missed-silently")).isZero();
    }

    @Test
    void aClusterOfTwoMastersElectsNobody() {
        assertThat(exit("failover", "--masters", "2")).isEqualTo(ExitCode.SOFTWARE);
    }
}
