package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.PowerLaw;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** That scenarios run and report; what they measure is nobody's business here. */
class ScenariosTest {
    private static final String[] BRIEFLY = {"--rounds", "1", "--seconds", "0.1"};

    @TempDir
    private Path dir;

    @Test
    void fanOutComparesThreeContestants() throws IOException {
        JsonObject report = bench("fanout", "--homes", "60", "--entries", "40", "--followers", "5");
        assertThat(report.getJsonArray("contestants")).hasSize(3);
        assertThat(report.getJsonObject("figures").getMap())
                .containsKeys("ratio-to-zadd-trim", "redis-cpu-ratio-to-zadd-trim", "bytes-per-home-entry");
        assertThat(report.getJsonObject("setting").getMap())
                .containsKeys("redis", "redis allocator", "java", "processors");
    }

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
        JsonObject report = bench("home", "--users", "20", "--followees", "4", "--connections", "2", "--after-backlog");
        assertThat(report.getJsonArray("contestants")).hasSize(4);
    }

    @Test
    void homeRefusesPostsThatWouldReplaceWhatItMeasures() {
        Path json = dir.resolve("home.json");
        for (String[] homes : new String[][] {{"--after-backlog"}, {"--pull-news", "2"}}) {
            String[] options =
                    Stream.concat(Stream.of("--posts", "20"), Stream.of(homes)).toArray(String[]::new);
            assertThat(new CommandLine(new BenchCommand()).execute(arguments("home", json, options)))
                    .isEqualTo(CommandLine.ExitCode.USAGE);
        }
    }

    @Test
    void postComparesWithABareScriptCall() throws IOException {
        JsonObject report = bench("post", "--users", "5", "--connections", "2");
        assertThat(report.getJsonArray("contestants")).hasSize(2);
        assertThat(report.getJsonObject("figures").getDouble("ratio-to-bare-script"))
                .isPositive();
    }

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
    void streamLatencyDeliversEachEventToItsFilter() throws IOException {
        JsonObject report = bench("stream-latency", "--filters", "4", "--rate", "50", "--only-ours", "--warm-up", "1");
        assertThat(report.getJsonObject("figures").getDouble("fanfare-delivered"))
                .isEqualTo(1.0);
        assertThat(report.getJsonObject("figures").getDouble("fanfare-p50-ms")).isPositive();
    }

    @Test
    void streamSlowComparesFastReadersWithAndWithoutSlowOnes() throws IOException {
        JsonObject report = bench("stream-slow", "--fast", "2", "--slow", "2", "--rate", "50", "--fill", "1");
        assertThat(report.getJsonArray("contestants")).hasSize(2);
        assertThat(report.getJsonObject("figures").getDouble("beside-delivered"))
                .isEqualTo(1.0);
    }

    @Test
    void streamFilterComparesTheIndexWithAskingEveryFilter() throws IOException {
        JsonObject report =
                bench("stream-filter", "--filters", "20", "--phrases", "200", "--few-phrases", "20", "--events", "200");
        assertThat(report.getJsonArray("contestants")).hasSize(4);
        assertThat(report.getJsonObject("figures").getDouble("p99-us")).isPositive();
    }

    @Test
    void powerLawHasTheMeanAskedForAndAHeavyHead() {
        SocialGraph graph = PowerLaw.graph(2000, 20, new Random(1));
        assertThat(graph.edges() / 2000.0).isBetween(18.0, 21.0);
        assertThat(graph.followerCount(0)).isGreaterThan(40 * graph.followerCount(1999));
        assertThat(IntStream.range(0, 2000)
                        .noneMatch(user -> IntStream.of(graph.followees(user)).anyMatch(followee -> followee == user)))
                .isTrue();
    }

    private JsonObject bench(String scenario, String... options) throws IOException {
        Path json = dir.resolve(scenario + ".json");
        int exit = new CommandLine(new BenchCommand()).execute(arguments(scenario, json, options));
        assertThat(exit).isZero();
        return new JsonObject(Files.readString(json));
    }

    private static String[] arguments(String scenario, Path json, String... options) {
        return Stream.of(new String[] {scenario, "--json", json.toString()}, options, BRIEFLY)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }
}
