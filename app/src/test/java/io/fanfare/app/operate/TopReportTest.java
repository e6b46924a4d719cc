package io.fanfare.app.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.operate.TopReport.Look;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.BatchesInFlight.Found;
import io.fanfare.core.queue.BatchesInFlight.InFlight;
import io.fanfare.core.queue.LaneStats;
import io.fanfare.core.queue.QueueStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TopReportTest {
    private static final long NOW = 1_800_000_000_000L;

    /** One shard with so many jobs in the lane low, which is paused if the oldest has waited for long. */
    private static Look look(long seconds, long waiting, long oldestSeconds, long done, long dead) {
        Map<Lane, LaneStats> lanes = new EnumMap<>(Lane.class);
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new LaneStats(0, 0, 0));
        }
        long oldest = waiting == 0 ? 0 : NOW - oldestSeconds * 1000;
        lanes.put(Lane.LOW, new LaneStats(waiting, oldest, oldestSeconds > 60 ? 1 : 0));
        QueueStats shard = new QueueStats(
                0, 0, 0, waiting, 0, 0, 1, dead, oldest, done + waiting + dead + 7, done, 0, 0, 0, 0, 0, lanes);
        JsonArray nodes = new JsonArray()
                .add(new JsonObject()
                        .put("node", "127.0.0.1:6379")
                        .put("redis_version", "7.0.15")
                        .put("used_memory", "1234567")
                        .put("maxmemory", "0")
                        .put("instantaneous_ops_per_sec", "4321")
                        .put("connected_clients", "5")
                        .put("keys", 42L))
                .add(new JsonObject().put("node", "127.0.0.1:6380").put("error", "gone\u001b[2J"));
        return new Look(
                TimeUnit.SECONDS.toNanos(seconds),
                NOW,
                List.of(shard),
                new Found(List.of(new InFlight(0, "w1.0", 7, 9_500)), false, new TreeSet<>()),
                nodes,
                Optional.empty());
    }

    @Test
    void ratesAreThoseBetweenTheLastTwoLooks() {
        TopReport report = new TopReport(2);
        report.add(look(0, 0, 0, 1000, 0));
        assertThat(report.text()).contains("done -");
        report.add(look(4, 0, 0, 5000, 0));
        assertThat(report.text()).contains("done 1,000   retried 0.0");
        report.add(look(8, 0, 0, 5002, 0));
        assertThat(report.text()).contains("done 0.5 ");
    }

    @Test
    void itSaysFirstWhatNeedsAnOperator() {
        TopReport report = new TopReport(2);
        report.add(look(0, 3, 65, 0, 2));
        assertThat(report.text().lines().toList().subList(1, 5))
                .containsExactly(
                        "state    paused: low",
                        "         a job has been waiting for 65 s",
                        "         2 dead letters (fanfare admin queue dead list)",
                        "         127.0.0.1:6380 does not answer");
        assertThat(report.text()).contains("low            3   oldest 65 s   paused");
    }

    /** A terminal in a corner of the screen has 15 rows of 60 columns. */
    @Test
    void theImportantFiguresFitIntoASmallWindow() {
        Look look = look(0, 12, 3, 0, 2);
        JsonObject streams = new JsonObject();
        streams.put("open", 310).put("bytes", 1_200_000_000L).put("waiting", 0L).put("lag_max", 2L);
        JsonArray one = new JsonArray().add(look.nodes().getJsonObject(0));
        TopReport report = new TopReport(2);
        report.add(new Look(look.nanos(), NOW, look.queue(), look.inFlight(), one, Optional.of(streams)));
        List<String> lines = report.text().lines().toList();
        assertThat(lines).hasSize(15);
        assertThat(lines.stream().map(line -> line.substring(0, Math.min(60, line.length()))))
                .contains("state    2 dead letters (fanfare admin queue dead list)")
                .anyMatch(line -> line.matches("queue    waiting 12   delayed \\d+   suspect \\d+   dead 2 .*"))
                .anyMatch(line -> line.startsWith("streams  open 310   slowest 2 events behind"));
    }

    @Test
    void aLookThatFailedHasItsTime() {
        assertThat(new TopReport(2).failed(NOW, "Redis is away\u001b[2J"))
                .isEqualTo(
                        "fanfare top   2027-01-15T08:00:00Z, every 2 s\nstate    Redis does not answer: Redis is away?[2J");
    }

    @Test
    void workersAndMastersHaveALineEachAndNothingSteersTheTerminal() {
        TopReport report = new TopReport(2);
        report.add(look(0, 0, 0, 0, 0));
        assertThat(report.text())
                .contains("w1                        1        7        9.5 s")
                .contains("Redis 7.0.15       1.2 MB          -      4,321        5           42   127.0.0.1:6379")
                .contains("no answer: gone?[2J   127.0.0.1:6380")
                .doesNotContain("\u001b");
    }
}
