package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestCertificate;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files for Prometheus and Grafana name metrics that a running server has. */
@Timeout(120)
class MonitoringTest {
    private static final Path CONFIG = Path.of("../config");
    private static final Pattern METRIC = Pattern.compile("\\b(?:fanfare|jvm)_[a-z_]+");

    @TempDir
    Path dir;

    @Test
    void everyMetricOfTheRulesAndOfTheDashboardIsThere() throws Exception {
        Set<String> named = named("prometheus/fanfare-alerts.yml");
        named.addAll(named("grafana/fanfare.json"));
        assertThat(named).hasSizeGreaterThan(15);
        TestCertificate tls = TestCertificate.in(dir);
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--tls",
                tls.certificate().toString(),
                tls.key().toString())) {
            // The times of requests begin with the first answer.
            HttpClient client =
                    HttpClient.newBuilder().sslContext(UpTlsTest.trust(tls)).build();
            HttpRequest health = HttpRequest.newBuilder(URI.create(up.runtime().httpUrl() + "/health"))
                    .build();
            assertThat(client.send(health, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
            // What Redis says is read beside the start.
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(metrics(up))
                    .containsAll(named));
        }
    }

    private static Set<String> metrics(FanfareProcess up) throws Exception {
        String metrics =
                Client.get(up.runtime().managementUrl() + "/metrics", "").body();
        return metrics.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toSet());
    }

    /** The pages shorten names: {@code fanfare_jobs_executed_total}, {@code ..._dead_total}. */
    @Test
    void everyMetricOfTheRulesAndOfTheDashboardIsDescribed() throws IOException {
        String pages = pages(Path.of("../docs/operate"));
        Set<String> named = named("prometheus/fanfare-alerts.yml");
        named.addAll(named("grafana/fanfare.json"));
        assertThat(named).filteredOn(name -> name.startsWith("fanfare_")).allSatisfy(name -> assertThat(spellings(name))
                .anyMatch(pages::contains));
    }

    private static String pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            StringBuilder pages = new StringBuilder();
            for (Path file : files.sorted().toList()) {
                pages.append(Files.readString(file));
            }
            return pages.toString();
        }
    }

    private static List<String> spellings(String name) {
        String base = name.replaceFirst("_(bucket|count)$", "");
        List<String> spellings = new ArrayList<>(List.of(base));
        for (int from = base.indexOf('_'); from > 0; from = base.indexOf('_', from + 1)) {
            spellings.add("`..." + base.substring(from));
        }
        return spellings;
    }

    @Test
    void theDashboardIsJsonWithATitleOnEachPanel() throws IOException {
        JsonObject dashboard = new JsonObject(Files.readString(CONFIG.resolve("grafana/fanfare.json")));
        assertThat(dashboard.getJsonArray("panels")).isNotEmpty().allSatisfy(panel -> assertThat(
                        ((JsonObject) panel).getString("title"))
                .isNotBlank());
    }

    private static Set<String> named(String file) throws IOException {
        return METRIC.matcher(Files.readString(CONFIG.resolve(file)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }
}
