package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A real Prometheus on the loopback address, which reads metrics and judges rules twice a second. */
final class TestPrometheus implements AutoCloseable {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final Process process;
    private final Path output;
    private final String url;

    /**
     * Starts it, ready for questions.
     *
     * @param dir for its data
     * @param rules a file
     * @param targets {@code host:port} of management servers
     */
    TestPrometheus(Path dir, Path rules, String... targets) throws IOException {
        int port = FreePort.find();
        String all = Stream.of(targets).map(target -> '"' + target + '"').collect(Collectors.joining(", "));
        Path config = Files.writeString(dir.resolve("prometheus.yml"), """
                global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}
                rule_files: ["%s"]
                scrape_configs: [{job_name: fanfare, static_configs: [{targets: [%s]}]}]
                """.formatted(rules.toAbsolutePath(), all));
        output = dir.resolve("prometheus.log");
        process = new ProcessBuilder(
                        program("prometheus").toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + dir.resolve("prometheus"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        url = "http://127.0.0.1:" + port;
        await("prometheus is ready", this::isReady);
    }

    /** Runs {@code promtool}; what it says when it succeeds. */
    static String promtool(Path dir, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(program("promtool").toString()));
        line.addAll(List.of(arguments));
        Path log = dir.resolve("promtool.log");
        int status = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(status).as(Files.readString(log)).isZero();
        return Files.readString(log);
    }

    private static Path program(String name) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the tests of -Pprometheus need Prometheus: apt-get install prometheus"));
    }

    private boolean isReady() throws Exception {
        assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
        try {
            return Client.get(url + "/-/ready", "").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * The value of each series that an expression has now, but for those that are no number; fails when it is wrong.
     */
    List<Double> ask(String expression) throws Exception {
        HttpResponse<String> answer =
                Client.get(url + "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8), "");
        assertThat(answer.statusCode()).as(expression + ": " + answer.body()).isEqualTo(200);
        JsonArray series = new JsonObject(answer.body()).getJsonObject("data").getJsonArray("result");
        return series.stream()
                .map(one ->
                        Double.valueOf(((JsonObject) one).getJsonArray("value").getString(1)))
                .filter(value -> !value.isNaN())
                .toList();
    }

    /** The alerts that are pending or firing, by their names. */
    Map<String, String> alerts() throws Exception {
        JsonArray all = new JsonObject(Client.get(url + "/api/v1/alerts", "").body())
                .getJsonObject("data")
                .getJsonArray("alerts");
        Map<String, String> states = new TreeMap<>();
        for (Object one : all) {
            JsonObject alert = (JsonObject) one;
            String name = alert.getJsonObject("labels").getString("alertname");
            states.merge(name, alert.getString("state"), (a, b) -> a.equals("firing") ? a : b);
        }
        return states;
    }

    /** Waits until an alert fires. */
    void awaitFiring(String alert) {
        await(alert + " fires", () -> "firing".equals(alerts().get(alert)));
    }

    /** Waits until an alert is over. */
    void awaitOver(String alert) {
        await(alert + " is over", () -> !alerts().containsKey(alert));
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(WAIT_MAX)
                .pollInterval(Duration.ofMillis(200))
                .until(condition);
    }

    @Override
    public void close() {
        process.destroy();
        boolean unused = process.onExit()
                .thenApply(ended -> true)
                .completeOnTimeout(false, 10, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
    }
}
