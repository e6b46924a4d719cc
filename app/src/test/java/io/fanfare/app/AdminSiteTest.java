package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.core.site.Document;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operators publish rules, texts and announcements by command and in the console, while a process serves the API. */
@Timeout(240)
class AdminSiteTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestRedis redis = TestRedis.standalone();

    private CommandRun run(String... command) {
        List<String> line = new ArrayList<>(List.of("admin"));
        line.addAll(List.of(command));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        return CommandRun.of(line);
    }

    @CanIgnoreReturnValue
    private String done(String... command) {
        CommandRun run = run(command);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    private String refused(String... command) {
        CommandRun run = run(command);
        assertThat(run.status()).as(run.out()).isNotZero();
        return run.err();
    }

    private String get(String url) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    @Tag("programs")
    void commandsPublishAndTheProcessesShowIt() throws Exception {
        redis.flush();
        Path terms = Files.writeString(dir.resolve("terms.txt"), "# Terms\n\nBe *fair*. <script>alert(1)</script>");
        Path large = Files.writeString(dir.resolve("large.txt"), "a".repeat(1 << 20));
        Path latin = Files.write(dir.resolve("latin.txt"), "Grüße".getBytes(StandardCharsets.ISO_8859_1));
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false")) {
            String url = "http://127.0.0.1:" + server.port();
            assertThat(done("rules", "list")).contains("no rules");
            assertThat(done("rules", "add", "Be kind", "--hint", "To all", "--why", "requested"))
                    .contains("1  Be kind  (To all)");
            assertThat(done("rules", "add", "No spam")).contains("2  No spam");
            done("rules", "move", "2", "1");
            assertThat(done("rules", "translate", "1", "zh", "友善")).contains("1  Be kind  (To all)  [zh]");
            assertThat(done("rules", "edit", "1", "--text", "Be very kind")).contains("1  Be very kind  (To all)");
            Awaitility.await().atMost(WAIT_MAX).until(() -> get(url + "/api/v1/instance/rules")
                    .contains("Be very kind"));
            JsonArray rules = new JsonArray(get(url + "/api/v1/instance/rules"));
            assertThat(rules.getJsonObject(0).getString("id")).isEqualTo("2");
            assertThat(done("rules", "remove", "2")).doesNotContain("No spam");
            assertThat(refused("rules", "remove", "2")).contains("There is no rule 2.");
            assertThat(refused("rules", "add", "a".repeat(301))).contains("at most 300 characters");

            assertThat(done("texts", "set", "terms", "--effective", "2026-01-01", "--file", terms.toString()))
                    .contains("terms in force from 2026-01-01");
            assertThat(done("texts", "show", "terms", "--effective", "2026-01-01"))
                    .startsWith("# Terms");
            Awaitility.await().atMost(WAIT_MAX).until(() -> get(url + "/terms").contains("<em>fair</em>"));
            assertThat(get(url + "/terms")).doesNotContain("<script>");
            assertThat(refused("texts", "set", "terms", "--file", terms.toString()))
                    .contains("Name the day");
            assertThat(refused("texts", "set", "privacy", "--file", large.toString()))
                    .contains("at most " + Document.TEXT_MAX + " characters");
            assertThat(refused("texts", "set", "privacy", "--file", latin.toString()))
                    .contains("UTF-8");
            assertThat(refused("texts", "set", "imprint", "--file", terms.toString()))
                    .contains("about, privacy or terms");
            assertThat(refused("texts", "show", "privacy")).contains("There is no text privacy.");
            assertThat(refused("texts", "contact", "nobody")).contains("nobody");
            done("texts", "remove", "terms", "--effective", "2026-01-01");

            assertThat(done("announcements", "add", "Down tonight", "--ends", "2999-12-01T10:00Z"))
                    .contains("3  shown  from ", "Down tonight");
            assertThat(done("announcements", "edit", "3", "Down tomorrow")).contains("Down tomorrow");
            assertThat(refused("announcements", "add", "x", "--ends", "tomorrow"))
                    .contains("2026-12-01T08:00Z");
            assertThat(done("announcements", "remove", "3")).contains("no announcements");
            assertThat(done("audit"))
                    .contains("rules.add", "requested", "rules.move", "texts.set", "announcements.remove")
                    .doesNotContain(".failed");
        }
    }

    @Test
    void theConsoleDoesTheSame() {
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "console.operator-token=" + OPERATOR)) {
            ConsoleBrowser console = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
            String longest = "汉".repeat(Document.TEXT_MAX);
            console.act(
                    "texts/set",
                    new JsonObject()
                            .put("text", "privacy")
                            .put("words", longest)
                            .put("why", "required"));
            assertThat(console.look("texts?text=privacy").getString("text")).isEqualTo(longest);
            console.act("rules/add", new JsonObject().put("text", "Be kind"));
            console.act("rules/edit", new JsonObject().put("rule", 1).put("text", "Be kinder"));
            console.act("announcements/add", new JsonObject().put("text", "Welcome"));
            JsonObject site = console.look("site");
            assertThat(site.getJsonArray("rules").getJsonObject(0).getString("text"))
                    .isEqualTo("Be kinder");
            assertThat(site.getJsonArray("announcements").getJsonObject(0).getBoolean("shown"))
                    .isTrue();
            assertThat(site.getJsonArray("texts").getJsonObject(0).getInteger("characters"))
                    .isEqualTo(Document.TEXT_MAX);
            assertThat(console.post("rules/add", new JsonObject().put("text", "a".repeat(10_000)))
                            .statusCode())
                    .isEqualTo(422);
            assertThat(console.post(
                                    "texts/set",
                                    new JsonObject().put("text", "privacy").put("words", "a".repeat(300_000)))
                            .statusCode())
                    .isEqualTo(413);
            console.act("rules/remove", new JsonObject().put("rule", 1));
            assertThat(up.output()).containsPattern("action=rules/remove role=operator .* outcome=done");
        }
    }
}
