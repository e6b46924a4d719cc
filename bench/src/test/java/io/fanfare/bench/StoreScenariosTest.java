package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.PowerLaw;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** That scenarios of writes, the archive and the queue run and report; what they measure is nobody's business here. */
class StoreScenariosTest extends ScenarioRun {
    @Test
    void fanOutComparesThreeContestants() throws IOException {
        JsonObject report = bench("fanout", "--homes", "60", "--entries", "40", "--followers", "5", "--stages");
        assertThat(report.getJsonArray("contestants")).hasSize(3);
        assertThat(report.getJsonObject("figures").getMap())
                .containsKeys(
                        "ratio-to-zadd-trim",
                        "redis-cpu-ratio-to-zadd-trim",
                        "ids-held-median",
                        "bytes-per-home-entry",
                        "stage-server-job-us");
        assertThat(report.getJsonObject("setting").getMap())
                .containsKeys("redis", "redis allocator", "java", "processors");
    }

    @Test
    @Tag("programs")
    void scaleComparesClustersByProcessAndMaster() throws IOException {
        JsonObject report = bench(
                "scale",
                "--masters",
                "1,2",
                "--replicas",
                "1",
                "--users",
                "1000",
                "--fan-out",
                "30",
                "--entries",
                "40",
                "--shards",
                "16",
                "--streams",
                "2",
                "--warm-up",
                "1");
        assertThat(report.getJsonArray("contestants")).hasSize(2 * 4);
        JsonObject figures = report.getJsonObject("figures");
        assertThat(figures.getDouble("2-masters-deliveries-masters-us")).isPositive();
        assertThat(figures.getDouble("2-masters-deliveries-replicas-us")).isPositive();
        assertThat(figures.getDouble("2-masters-deliveries-busiest")).isBetween(1.0, 2.0);
        assertThat(figures.getDouble("1-masters-deliveries-busiest")).isEqualTo(1);
        assertThat(figures.getDouble("2-masters-posts-bus-publishes")).isPositive();
        assertThat(figures.getDouble("1-masters-pages-api-us")).isPositive();
        // Linux counts the time of a process in units of 10 ms, and few events take less.
        assertThat(figures.getDouble("1-masters-stream-seconds-stream-us")).isNotNegative();
        assertThat(figures.getDouble("redis-growth")).isPositive();
    }

    @Test
    @Tag("programs")
    void slotsMeasuresEachOperationAloneAndTogether() throws IOException {
        JsonObject figures = bench("slots", "--names", "2000").getJsonObject("figures");
        assertThat(figures.fieldNames()).hasSize(2 * 12);
        assertThat(figures.fieldNames())
                .contains("{bus}: append a status, alone", "{bus}: append a status, together")
                .allSatisfy(operation ->
                        assertThat(figures.getDouble(operation)).as(operation).isPositive());
    }

    @Test
    @Tag("programs")
    void fanOutLatencyComparesLoudRoundsWithQuietOnes() throws IOException {
        JsonObject report = bench(
                "fanout-latency",
                "--large",
                "300",
                "--authors",
                "5",
                "--followers",
                "4",
                "--entries",
                "20",
                "--flood",
                "30",
                "--suspects",
                "20",
                "--deletes");
        assertThat(report.getJsonArray("contestants")).hasSize(5);
        assertThat(report.getJsonObject("figures").getDouble("quiet-p99-ms")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("flood-ratio")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("suspects-p99-ms")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("deletes-ratio")).isPositive();
        assertThat(report.getJsonObject("figures").getDouble("delete-redis-ms")).isNotNull();
    }

    @Test
    @Tag("programs")
    void theArchiveIsComparedWithAuthorsWhoPostLess() throws IOException {
        JsonObject figures = bench("archive", "--authors", "3", "--posts", "60", "--kept", "20")
                .getJsonObject("figures");
        // 60, 61 and 62 posts, of which up to two more than 20 stay.
        assertThat(figures.getDouble("moved")).isBetween(117.0, 123.0);
        assertThat(figures.getDouble("memory-ratio")).isPositive();
        assertThat(figures.getDouble("redis-us-per-moved-post")).isPositive();
    }

    @Test
    void theArchiveNeedsMorePostsThanStay() {
        assertThat(exit("archive", "--posts", "20", "--kept", "20")).isNotZero();
    }

    @Test
    @Tag("programs")
    void loadFillsARedisOfItsOwn() throws IOException {
        JsonObject figures = bench("load", "--accounts", "60", "--follows", "10", "--posts", "2", "--homes", "50")
                .getJsonObject("figures");
        assertThat(figures.getDouble("posts")).isEqualTo(120);
        assertThat(figures.getDouble("homes")).isEqualTo(30);
        assertThat(figures.getDouble("account-bytes")).isBetween(100.0, 2000.0);
        assertThat(figures.getDouble("used-memory")).isGreaterThan(100_000);
    }

    @Test
    void loadRefusesASiteThatCannotBe() {
        assertThat(exit("load", "--accounts", "10", "--follows", "10")).isNotZero();
        assertThat(exit("load", "--homes", "101")).isNotZero();
    }

    @Test
    @Tag("programs")
    void postComparesWithABareScriptCall() throws IOException {
        JsonObject report = bench("post", "--users", "5", "--connections", "2", "--stages");
        assertThat(report.getJsonArray("contestants")).hasSize(2);
        assertThat(report.getJsonObject("figures").getDouble("ratio-to-bare-script"))
                .isPositive();
        assertThat(report.getJsonObject("figures").fieldNames())
                .contains("stage-server-parse-us", "stage-server-redis-us", "stage-server-kernel-us");
    }

    @Test
    @Tag("programs")
    void aLonePostIsMeasuredByWhatItCostsEachProcess() throws IOException {
        JsonObject report = bench("post", "--alone", "--followers", "0,3", "--seconds", "0.5");
        assertThat(report.getJsonArray("contestants")).hasSize(3);
        JsonObject figures = report.getJsonObject("figures");
        for (String followers : List.of("0", "3")) {
            assertThat(figures.getDouble("followers-" + followers + "-reads")).isPositive();
            assertThat(figures.getDouble("followers-" + followers + "-home-p50-ms"))
                    .isPositive();
            assertThat(figures.getDouble("followers-" + followers + "-stream-p50-ms"))
                    .isPositive();
        }
    }

    @Test
    @Tag("programs")
    void theQueueIsMeasuredByItselfWhereThereIsNoBullMq() throws IOException {
        JsonObject report = bench("queue", "--processes", "1,2", "--backlog", "100", "--seconds", "0.5");
        assertThat(report.getJsonArray("contestants")).hasSize(6);
        JsonObject figures = report.getJsonObject("figures");
        assertThat(figures.getDouble("fanfare-2-commands-per-job")).isBetween(0.01, 0.1);
        assertThat(figures.getDouble("fanfare-1-start-p99-ms")).isPositive();
    }

    @Test
    void aFolderWithoutBullMqIsRefused() {
        assertThat(exit("queue", "--processes", "1", "--bullmq", dir.toString()))
                .isEqualTo(ExitCode.SOFTWARE);
    }

    @Test
    void powerLawHasTheRequestedMeanAndAHeavyHead() {
        SocialGraph graph = PowerLaw.graph(2000, 20, new Random(1));
        assertThat(graph.edges() / 2000.0).isBetween(18.0, 21.0);
        assertThat(graph.followerCount(0)).isGreaterThan(40 * graph.followerCount(1999));
        assertThat(IntStream.range(0, 2000)
                        .noneMatch(user -> IntStream.of(graph.followees(user)).anyMatch(followee -> followee == user)))
                .isTrue();
    }
}
