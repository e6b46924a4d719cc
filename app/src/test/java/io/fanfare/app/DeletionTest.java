package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deleting accounts, by their users and by command, whatever is killed meanwhile. */
@Timeout(300)
class DeletionTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ERASED = Duration.ofSeconds(60);
    private static final int POSTS = 120;

    @TempDir
    Path dir;

    private Path data;
    private FanfareProcess up;
    private String url;

    private void start() {
        data = dir.resolve("data");
        up = FanfareProcess.up(
                data,
                "--set",
                "limits.enabled=false",
                "--set",
                "queue.lease=2s",
                "--set",
                "queue.beat=400ms",
                "--set",
                "queue.reap=500ms");
        url = up.runtime().httpUrl();
    }

    @Test
    @Tag("programs")
    void allDataOfADeletedAccountIsErasedThoughProcessesAreKilled() throws Exception {
        start();
        try {
            Client ann = Client.signUp(url, "ann");
            List<Client> others = new ArrayList<>();
            for (String name : List.of("bob", "cid", "dan")) {
                Client other = Client.signUp(url, name);
                other.follow(url, ann);
                ann.follow(url, other);
                String post = other.post(url, "a post of " + name);
                for (String action : List.of("favourite", "reblog", "bookmark")) {
                    assertThat(ann.send("POST", url + "/api/v1/statuses/" + post + "/" + action, "", "")
                                    .statusCode())
                            .isEqualTo(200);
                }
                others.add(other);
            }
            String first = ann.post(url, "a post of ann");
            Set<String> posts = new TreeSet<>();
            for (int i = 0; i < POSTS; i++) {
                posts.add(ann.post(url, "post " + i));
            }
            assertThat(posts).hasSize(POSTS);

            assertThat(delete(ann, "not the password").statusCode()).isEqualTo(422);
            assertThat(delete(ann, Client.PASSWORD).statusCode()).isEqualTo(200);
            for (int kill = 0; kill < 3; kill++) {
                up.kill();
                start();
                assertGone(ann, others.get(0), first);
            }

            Awaitility.await().atMost(ERASED).untilAsserted(() -> assertThat(erased("ann"))
                    .isTrue());
            assertGone(ann, others.get(0), first);
            for (Client other : others) {
                JsonObject account = new JsonObject(Client.get(url + "/api/v1/accounts/" + other.id(), other.token())
                        .body());
                assertThat(account.getInteger("followers_count")).isZero();
                assertThat(account.getInteger("following_count")).isZero();
                assertThat(Client.get(url + "/api/v1/accounts/" + other.id() + "/statuses", other.token())
                                .body())
                        .contains("\"favourites_count\":0", "\"reblogs_count\":0");
            }
            assertThat(run("admin", "verify")).contains("no differences");
            assertThat(signUp("ann")).as("the name").isEqualTo(422);
        } finally {
            up.close();
        }
    }

    @Test
    void anOperatorDeletesAnAccountForGood() throws Exception {
        start();
        try {
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            String post = ann.post(url, "a post of ann");

            assertThat(CommandRun.of(List.of("admin", "accounts", "delete", "ann", "--data", data.toString()))
                            .status())
                    .as("without --yes")
                    .isNotZero();
            assertThat(Client.get(url + "/api/v1/statuses/" + post, bob.token()).statusCode())
                    .isEqualTo(200);
            assertThat(run("admin", "accounts", "delete", "@ann", "--yes")).contains("ann is deleted");
            assertThat(run("admin", "accounts", "delete", "ann", "--yes")).contains("ann was deleted before");
            Awaitility.await().atMost(ERASED).untilAsserted(() -> assertGone(ann, bob, post));
            assertThat(CommandRun.of(List.of("admin", "accounts", "unsuspend", "ann", "--data", data.toString()))
                            .status())
                    .isNotZero();
            Awaitility.await().atMost(ERASED).untilAsserted(() -> assertThat(erased("ann"))
                    .isTrue());
            assertThat(run("admin", "accounts", "show", ann.id())).contains("@ann", "deleted since 2");
            assertThat(run("admin", "verify")).contains("no differences");
        } finally {
            up.close();
        }
    }

    /** The number of posts goes with the last of the account. */
    private boolean erased(String name) {
        JsonObject shown = new JsonObject(run("admin", "accounts", "show", name, "--json"));
        assertThat(shown.getString("deleted_at")).isNotNull();
        return shown.getLong("statuses") == 0
                && !run("admin", "accounts", "find", name).contains("@" + name + " ");
    }

    private void assertGone(Client ann, Client bob, String post) throws Exception {
        for (String path : List.of(
                "/api/v1/accounts/" + ann.id(),
                "/api/v1/accounts/lookup?acct=ann",
                "/api/v1/accounts/" + ann.id() + "/statuses",
                "/api/v1/statuses/" + post,
                "/@ann")) {
            assertThat(Client.get(url + path, bob.token()).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(Client.get(url + "/api/v1/timelines/home", bob.token()).body())
                .doesNotContain("post of ann");
        assertThat(Client.get(url + "/api/v1/accounts/verify_credentials", ann.token())
                        .statusCode())
                .isEqualTo(401);
        HttpResponse<String> logIn = send(
                "/api/v1/session",
                "application/json",
                "",
                new JsonObject()
                        .put("username", "ann")
                        .put("password", Client.PASSWORD)
                        .encode());
        assertThat(logIn.statusCode()).isEqualTo(403);
        assertThat(logIn.body()).contains("This account has been deleted");
    }

    private HttpResponse<String> delete(Client who, String password) throws Exception {
        return send(
                "/api/v1/accounts/delete",
                "application/json",
                who.token(),
                new JsonObject().put("current_password", password).encode());
    }

    private int signUp(String name) throws Exception {
        return send(
                        "/api/v1/session/sign_up",
                        "application/json",
                        "",
                        new JsonObject()
                                .put("username", name)
                                .put("email", "other@example.org")
                                .put("password", "another good password")
                                .put("agreement", true)
                                .encode())
                .statusCode();
    }

    private HttpResponse<String> send(String path, String type, String token, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (token.isEmpty()) {
            request.header("X-Fanfare-Page", "1");
        } else {
            request.header("Authorization", "Bearer " + token);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String run(String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--data", data.toString()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).as(run.err() + run.out()).isZero();
        return run.out();
    }
}
