package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator deletes single posts, by command and in the console. */
@Timeout(300)
class AdminPostDeleteTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final String VIEWER = "a-viewer-of-this-test";
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final int POSTS = 30;
    private static final int KEPT = 20;

    @TempDir
    Path dir;

    private final HttpClient http = HttpClient.newHttpClient();
    private Path data;
    private String url;

    @Test
    void aPostThatAnOperatorDeletesIsGoneAsIfItsAuthorHadDeletedItAlsoFromTheArchive() throws Exception {
        data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(
                data,
                "--set",
                "limits.enabled=false",
                "--set",
                "archive.profile-max=" + KEPT,
                "--set",
                "console.operator-token=" + OPERATOR,
                "--set",
                "console.viewer-token=" + VIEWER)) {
            url = up.runtime().httpUrl();
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            bob.follow(url, ann);
            List<String> posts = new ArrayList<>();
            for (int i = 0; i < POSTS; i++) {
                posts.add(ann.post(url, "post " + i + " for @bob"));
            }
            JsonObject picture = upload(ann);
            String shown = json(
                            ann,
                            "POST",
                            "/api/v1/statuses",
                            new JsonObject()
                                    .put("status", "a secret text, #gone, @bob")
                                    .put("media_ids", new JsonArray().add(picture.getString("id"))))
                    .getString("id");
            assertThat(bob.send("POST", url + "/api/v1/statuses/" + shown + "/reblog", "", "")
                            .statusCode())
                    .isEqualTo(200);
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                assertThat(bob.home(url)).contains(shown);
                assertThat(notified(bob)).contains(shown);
                assertThat(get("/api/v1/timelines/tag/gone", bob).body()).contains(shown);
                assertThat(run(0, "archive", "stats").out()).containsPattern("live +1[01] ");
            });
            long before = statuses(ann);
            assertThat(exchange(URI.create(picture.getString("url"))).statusCode())
                    .isEqualTo(200);

            deleteByAddress(ann, bob, shown, picture);
            assertThat(statuses(ann)).as("statuses after the first delete").isEqualTo(before - 1);
            assertThat(run(0, "post", "delete", shown).out()).contains("was deleted before");

            String old = posts.get(0);
            assertThat(run(1, "post", "delete", old, "--notice", "x".repeat(501))
                            .err())
                    .contains("--notice must have at most 500 characters");
            assertThat(run(0, "post", "delete", old, "--notice", "out of <b>date</b>")
                            .out())
                    .contains("status " + old + " of ann is deleted");
            assertThat(run(0, "post", "delete", old, "--notice", "again").out()).contains("was deleted before");
            JsonArray warnings = new JsonArray(get("/api/v1/warnings", ann).body());
            assertThat(warnings).hasSize(1);
            assertThat(warnings.getJsonObject(0).getString("text")).isEqualTo("out of <b>date</b>");
            assertThat(warnings.getJsonObject(0).getJsonArray("status_ids")).containsExactly(old);
            assertThat(get("/api/v1/statuses/" + old, ann).statusCode())
                    .as("an archived post")
                    .isEqualTo(404);
            assertThat(statuses(ann)).as("statuses after the second").isEqualTo(before - 2);

            assertConsole(up, ann, bob, posts);
            assertThat(statuses(ann))
                    .as("statuses after two more at the console")
                    .isEqualTo(before - 4);
            assertWrongPostsAreRefused(ann, posts.get(5));
            Awaitility.await()
                    .atMost(WAIT_MAX)
                    .untilAsserted(() -> assertThat(run(0, "verify").out()).contains("no differences"));
        }
    }

    /** The deletion reaches the author, a follower, streams and timelines, and ends the address of the picture. */
    private void deleteByAddress(Client ann, Client bob, String shown, JsonObject picture) throws Exception {
        Queue<String> received = listen(bob);
        CommandRun deleted = run(0, "post", "delete", url + "/@ann/" + shown, "--json");
        JsonObject report = new JsonObject(deleted.out());
        assertThat(report.getString("id")).isEqualTo(shown);
        assertThat(report.getString("author_id")).isEqualTo(ann.id());
        assertThat(report.getBoolean("changed")).isTrue();
        assertThat(deleted.err())
                .containsPattern("fanfare.audit - event=command-action action=post/delete user=\\S+ outcome=done"
                        + " given=\"status=" + shown + "\"")
                .doesNotContain("secret");
        assertThat(get("/api/v1/statuses/" + shown, ann).statusCode()).isEqualTo(404);
        assertThat(bob.home(url)).doesNotContain(shown);
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
            assertThat(received).anyMatch(line -> line.startsWith("data:") && line.contains(shown));
            assertThat(notified(bob)).doesNotContain(shown);
            assertThat(get("/api/v1/timelines/tag/gone", bob).body()).doesNotContain(shown);
            assertThat(exchange(URI.create(picture.getString("url"))).statusCode())
                    .isEqualTo(404);
        });
    }

    private void assertWrongPostsAreRefused(Client ann, String other) throws Exception {
        assertThat(run(1, "post", "delete", "4096").err())
                .contains("Record not found")
                .contains("action=post/delete")
                .contains("outcome=refused");
        assertThat(run(1, "post", "delete", url + "/@bob/" + other).err()).contains("by another account");
        assertThat(get("/api/v1/statuses/" + other, ann).statusCode()).isEqualTo(200);
        run(2, "post", "delete", "0");
        run(2, "post", "delete", "nonsense");
    }

    /** At a report, and by the id alone. */
    private void assertConsole(FanfareProcess up, Client ann, Client bob, List<String> posts) throws Exception {
        String fresh = posts.get(POSTS - 1);
        String archived = posts.get(1);
        JsonObject report = new JsonObject()
                .put("account_id", ann.id())
                .put("status_ids", new JsonArray().add(fresh))
                .put("comment", "<b>spam</b>");
        assertThat(json(bob, "POST", "/api/v1/reports", report).getString("id")).isNotNull();
        ConsoleBrowser operator = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
        ConsoleBrowser viewer = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), VIEWER);
        assertThat(viewer.get("reports").statusCode()).isEqualTo(403);
        JsonObject shown = operator.look("reports").getJsonArray("reports").getJsonObject(0);
        assertThat(shown.getJsonObject("account").getString("username")).isEqualTo("ann");
        assertThat(shown.getJsonObject("reporter").getString("username")).isEqualTo("bob");
        assertThat(shown.getString("comment")).isEqualTo("<b>spam</b>");
        JsonObject status = shown.getJsonArray("statuses").getJsonObject(0);
        assertThat(status.getString("id")).isEqualTo(fresh);
        assertThat(status.getString("url")).endsWith("/@ann/" + fresh);

        JsonObject named = new JsonObject().put("status", fresh);
        assertThat(viewer.post("post/delete", named).statusCode()).isEqualTo(403);
        assertThat(new ConsoleBrowser(up.runtime().managementUrl())
                        .post("post/delete", named)
                        .statusCode())
                .isEqualTo(401);
        assertThat(operator.post("post/delete", new JsonObject()).statusCode()).isEqualTo(400);
        assertThat(operator.post("post/delete", new JsonObject().put("status", "4096"))
                        .statusCode())
                .isEqualTo(404);
        assertThat(get("/api/v1/statuses/" + fresh, ann).statusCode()).isEqualTo(200);
        assertThat(operator.act("post/delete", named).getBoolean("changed")).isTrue();
        assertThat(operator.act("post/delete", named).getBoolean("changed")).isFalse();
        assertThat(operator.act("post/delete", new JsonObject().put("status", archived))
                        .getBoolean("changed"))
                .isTrue();
        assertThat(get("/api/v1/statuses/" + fresh, ann).statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/statuses/" + archived, ann).statusCode()).isEqualTo(404);
        assertThat(up.output())
                .containsPattern("action=post/delete role=operator session=[\\w-]+ address=[0-9a-f]{16} outcome=done"
                        + " given=\"status=" + fresh + "\"")
                .containsPattern(
                        "action=post/delete role=viewer session=[\\w-]+ address=[0-9a-f]{16}" + " outcome=forbidden");
        JsonObject closed = new JsonObject().put("report", shown.getInteger("id"));
        assertThat(operator.act("reports/close", closed).getInteger("closed")).isEqualTo(shown.getInteger("id"));
        assertThat(operator.post("reports/close", closed).statusCode()).isEqualTo(404);
        assertThat(operator.look("reports").getJsonArray("reports")).isEmpty();
    }

    @CanIgnoreReturnValue
    private CommandRun run(int status, String... command) {
        List<String> line = new ArrayList<>(List.of("admin"));
        line.addAll(List.of(command));
        line.addAll(List.of("--data", data.toString()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).as(run.err() + run.out()).isEqualTo(status);
        return run;
    }

    private Queue<String> listen(Client who) throws Exception {
        HttpResponse<Stream<String>> stream = http.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v1/streaming/user"))
                        .header("Authorization", "Bearer " + who.token())
                        .build(),
                HttpResponse.BodyHandlers.ofLines());
        assertThat(stream.statusCode()).isEqualTo(200);
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        Thread reader = new Thread(() -> Client.readLines(stream.body(), lines));
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    private JsonObject upload(Client who) throws Exception {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        assertThat(ImageIO.write(new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB), "png", png))
                .isTrue();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.png\"\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(png.toByteArray());
        body.writeBytes("\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII));
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v2/media"))
                        .timeout(WAIT_MAX)
                        .header("Authorization", "Bearer " + who.token())
                        .header("Content-Type", "multipart/form-data; boundary=b")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private JsonObject json(Client who, String method, String path, JsonObject body) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .timeout(WAIT_MAX)
                        .header("Authorization", "Bearer " + who.token())
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body.encode()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private HttpResponse<String> get(String path, Client who) throws Exception {
        return Client.get(url + path, who.token());
    }

    private HttpResponse<Void> exchange(URI address) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding());
    }

    private String notified(Client who) throws Exception {
        return get("/api/v1/notifications?limit=80", who).body();
    }

    private long statuses(Client who) throws Exception {
        return new JsonObject(get("/api/v1/accounts/" + who.id(), who).body()).getLong("statuses_count");
    }
}
