package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator's list of streams, from a process as it runs. */
@Timeout(240)
class AdminStreamsTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    @Test
    void openStreamsAreListedAsATableAndForPrograms() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data)) {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            HttpRequest firehose = HttpRequest.newBuilder(URI.create(url + "/api/v1/streaming/firehose"))
                    .header("Authorization", "Bearer " + alice.token())
                    .build();
            HttpResponse<InputStream> stream =
                    HttpClient.newHttpClient().send(firehose, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(alice.post(url, "heard")).isNotEmpty();
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(
                            Client.get(up.runtime().managementUrl() + "/metrics", "")
                                    .body())
                    .contains(
                            "fanfare_streams_open{dialect=\"native\",stream=\"firehose\"} 1.0",
                            "fanfare_streams_deliveries_total 1.0"));

            JsonObject page = new JsonObject(run(data, "--json"));
            JsonObject only = page.getJsonArray("streams").getJsonObject(0);
            assertThat(page.getInteger("open")).isEqualTo(1);
            assertThat(only.getString("stream")).isEqualTo("firehose");
            assertThat(only.getLong("bytes")).isPositive();
            assertThat(run(data))
                    .contains("CONN", only.getString("conn"), only.getString("account_id"), "native", "1 open, 1 shown")
                    .doesNotContain(alice.token());
            stream.body().close();
        }
    }

    @Test
    void anOperatorClosesAStreamAndItsClientIsNotified() throws Exception {
        Path data = dir.resolve("operated");
        String token = "an-operator-of-this-test";
        try (FanfareProcess up = FanfareProcess.up(data, "--set", "console.operator-token=" + token)) {
            HttpRequest firehose = HttpRequest.newBuilder(
                            URI.create(up.runtime().httpUrl() + "/api/v1/streaming/firehose"))
                    .header(
                            "Authorization",
                            "Bearer "
                                    + Client.signUp(up.runtime().httpUrl(), "alice")
                                            .token())
                    .build();
            HttpResponse<InputStream> stream =
                    HttpClient.newHttpClient().send(firehose, HttpResponse.BodyHandlers.ofInputStream());
            String conn = new JsonObject(run(data, "--json"))
                    .getJsonArray("streams")
                    .getJsonObject(0)
                    .getString("conn");

            assertThat(run(data, "close", conn)).contains("closed " + conn);
            assertThat(new String(stream.body().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("event: disconnect", "\"code\":3,");
            CommandRun again = of(data, "close", conn);
            assertThat(again.status()).isNotZero();
            assertThat(again.err()).contains("has no such stream any more: look which ones are open.");
            assertThat(up.output()).contains("action=streams/close role=operator session=token");
        }
    }

    private static String run(Path data, String... more) {
        CommandRun admin = of(data, more);
        assertThat(admin.status()).as(admin.err()).isZero();
        return admin.out();
    }

    private static CommandRun of(Path data, String... more) {
        List<String> line = new ArrayList<>(List.of("admin", "streams"));
        line.addAll(List.of(more));
        line.addAll(List.of("--data", data.toString()));
        return CommandRun.of(line);
    }
}
