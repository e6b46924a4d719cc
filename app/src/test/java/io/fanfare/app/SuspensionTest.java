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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Suspending accounts and resetting passwords, by command and in the console, as users and strangers see it. */
@Timeout(300)
class SuspensionTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final String PUBLIC = "http://fanfare.test";
    private static final String VIEWER = "a-viewer-of-this-test";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /**
     * The longest delay until a change counts everywhere: less than a second for cached tokens, and more on a busy
     * machine.
     */
    private static final Duration APPLIED_MAX = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    private Path data;
    private FanfareProcess up;
    private String url;

    /** With two event loops. */
    private ConsoleBrowser start(String token) {
        data = dir.resolve("data");
        up = FanfareProcess.up(
                data,
                "--set",
                "http.event-loops=2",
                "--set",
                "limits.enabled=false",
                "--set",
                "http.public-url=" + PUBLIC, // The port is another one after a kill.
                "--set",
                "console.operator-token=" + OPERATOR,
                "--set",
                "console.viewer-token=" + VIEWER);
        url = up.runtime().httpUrl();
        return ConsoleBrowser.loggedIn(up.runtime().managementUrl(), token);
    }

    @Test
    @Tag("programs")
    void aSuspendedAccountIsGoneForEverybodyAlsoAfterAKillUntilItIsLetBack() throws Exception {
        ConsoleBrowser operator = start(OPERATOR);
        try {
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            bob.follow(url, ann);
            String post = ann.post(url, "a post of ann");
            String reply = bob.post(url, "a post of bob");
            assertThat(ann.send("POST", url + "/api/v1/statuses/" + reply + "/favourite", "", "")
                            .statusCode())
                    .isEqualTo(200);
            Awaitility.await().atMost(APPLIED_MAX).until(() -> bob.home(url).contains(post));
            List<String> shown = answers(ann, bob, post);
            assertThat(shown).allSatisfy(answer -> assertThat(answer).startsWith("200 "));

            Client cid = Client.signUp(url, "cid");
            cid.follow(url, ann);
            ann.follow(url, cid);
            String quote = quote(cid, post, "a-key").getString("id");
            String edited = quote(cid, post, "another-key").getString("id");
            String repost = done(cid, "POST", "/api/v1/statuses/" + post + "/reblog", "", "")
                    .getString("id");
            assertThat(done(cid, "POST", "/api/v1/accounts/" + ann.id() + "/mute", "", "")
                            .getBoolean("muting"))
                    .isTrue();

            JsonObject account = new JsonObject().put("account", "@ann");
            ConsoleBrowser viewer = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), VIEWER);
            assertOnlyOperatorsMay(viewer, operator, account);
            assertThat(operator.act("accounts/suspend", account).getBoolean("changed"))
                    .as("suspended")
                    .isTrue();
            assertThat(operator.act("accounts/suspend", account).getBoolean("changed"))
                    .as("suspended once more")
                    .isFalse();
            assertHidden(ann, bob, post);
            assertShownAtTheConsole(operator);

            up.kill();
            operator = start(OPERATOR);
            assertHidden(ann, bob, post);
            assertThat(operator.look("accounts?name=ann").encode())
                    .as("after the kill")
                    .contains("suspended_at\":\"2");
            assertThat(verify()).as("while suspended").contains("no differences");
            assertQuotesStay(cid, post, quote, edited, repost);
            assertTiesAreTakenBack(ann, cid);

            assertThat(admin("unsuspend", "ann")).contains("ann is not suspended any more");
            assertThat(admin("unsuspend", "ann")).contains("ann was not suspended");
            Awaitility.await().atMost(APPLIED_MAX).untilAsserted(() -> assertThat(answers(ann, bob, post))
                    .isEqualTo(shown));
            assertThat(logIn("ann", Client.PASSWORD).statusCode())
                    .as("a log-in after the suspension")
                    .isEqualTo(200);
            assertThat(verify()).as("after the suspension").contains("no differences");
            assertDeletedOnlyByItsName(operator);
        } finally {
            up.close();
        }
    }

    private void assertOnlyOperatorsMay(ConsoleBrowser viewer, ConsoleBrowser operator, JsonObject account)
            throws Exception {
        for (String action : List.of("suspend", "unsuspend", "reset-password")) {
            assertThat(viewer.post("accounts/" + action, account).statusCode())
                    .as("%s by a viewer", action)
                    .isEqualTo(403);
            assertThat(new ConsoleBrowser(up.runtime().managementUrl())
                            .post("accounts/" + action, account)
                            .statusCode())
                    .as("%s without a session", action)
                    .isEqualTo(401);
            assertThat(operator.post("accounts/" + action, new JsonObject().put("account", "nobody_has_this"))
                            .statusCode())
                    .as("%s of an unknown account", action)
                    .isEqualTo(404);
        }
    }

    private void assertShownAtTheConsole(ConsoleBrowser operator) throws Exception {
        assertThat(operator.look("accounts?name=ann")
                        .getJsonArray("accounts")
                        .getJsonObject(0)
                        .getString("suspended_at"))
                .as("the time of the suspension")
                .isNotNull();
        assertThat(operator.look("accounts/one?account=ann").getJsonArray("sessions"))
                .as("sessions, which stay")
                .hasSize(1);
        assertThat(up.output())
                .as("audit lines")
                .containsPattern("action=accounts/suspend role=operator session=[\\w-]+ address=[0-9a-f]{16}"
                        + " outcome=done given=\"account=@ann\"")
                .containsPattern("action=accounts/reset-password role=viewer session=[\\w-]+"
                        + " address=[0-9a-f]{16} outcome=forbidden");
    }

    private static void assertDeletedOnlyByItsName(ConsoleBrowser operator) throws Exception {
        JsonObject account = new JsonObject().put("account", "@ann");
        for (String name : List.of("", "bob", "annn")) {
            assertThat(operator.post("accounts/delete", account.copy().put("name", name))
                            .statusCode())
                    .isEqualTo(422);
        }
        assertThat(operator.look("accounts/one?account=ann").getString("deleted_at"))
                .isNull();
        assertThat(operator.act("accounts/delete", account.copy().put("name", "@Ann"))
                        .getBoolean("changed"))
                .isTrue();
        assertThat(operator.look("accounts/one?account=ann").getString("deleted_at"))
                .isNotNull();
    }

    /** The responses about ann's account and her post, to herself and to others. */
    private List<String> answers(Client ann, Client bob, String post) throws Exception {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // On both event loops.
            answers.add(answer("/api/v1/accounts/verify_credentials", ann.token()));
            answers.add(answer("/api/v1/accounts/" + ann.id(), bob.token()));
            answers.add(answer("/api/v1/accounts/lookup?acct=ann", ""));
            answers.add(answer("/api/v1/accounts/" + ann.id() + "/statuses", bob.token()));
            answers.add(answer("/api/v1/statuses/" + post, bob.token()));
            answers.add(answer("/api/v1/statuses/" + post, ""));
            answers.add(answer("/.well-known/webfinger?resource=acct:ann@fanfare.test", ""));
            answers.add(answer("/@ann", ""));
            answers.add(answer("/@ann/" + post, ""));
            answers.add(answer("/@ann.rss", ""));
        }
        return answers;
    }

    private String answer(String path, String token) throws Exception {
        HttpResponse<String> answer = Client.get(url + path, token);
        // Pages without scripts say how long ago things were.
        return answer.statusCode() + " " + (path.startsWith("/@") ? "" : answer.body());
    }

    private void assertHidden(Client ann, Client bob, String post) throws Exception {
        Awaitility.await().atMost(APPLIED_MAX).untilAsserted(() -> assertThat(answers(ann, bob, post))
                .allSatisfy(answer -> assertThat(answer).matches("(?s)(403|404) .*")));
        // For less than a second an event loop may trust the token, whose account is gone already.
        Awaitility.await().atMost(APPLIED_MAX).untilAsserted(() -> assertThat(
                        answer("/api/v1/accounts/verify_credentials", ann.token()))
                .startsWith("403 ")
                .contains("Your login is currently disabled"));
        for (String list : List.of(
                "/api/v1/timelines/home",
                "/api/v1/timelines/public",
                "/api/v1/notifications",
                "/api/v1/accounts/" + bob.id() + "/following",
                "/api/v1/accounts/search?q=ann",
                "/")) {
            HttpResponse<String> answer = Client.get(url + list, bob.token());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).as(list).doesNotContain("a post of ann", "@ann", "\"ann\"");
        }
        assertThat(bob.send("POST", url + "/api/v1/statuses/" + post + "/favourite", "", "")
                        .statusCode())
                .isEqualTo(404);
        assertThat(bob.send("POST", url + "/api/v1/accounts/" + ann.id() + "/follow", "", "")
                        .statusCode())
                .isEqualTo(404);
        assertThat(ann.send("POST", url + "/api/v1/statuses", "a post of a suspended one", "")
                        .statusCode())
                .isEqualTo(403);
        HttpResponse<String> right = logIn("ann", Client.PASSWORD);
        assertThat(right.statusCode()).isEqualTo(403);
        assertThat(right.body()).contains("Your login is currently disabled");
        assertThat(right.headers().firstValue("Set-Cookie")).isEmpty();
        // Nobody else hears that the account is suspended.
        HttpResponse<String> wrong = logIn("ann", "not the password of ann");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body())
                .isEqualTo(logIn("nobody_has_this", "not a password").body());
    }

    private JsonObject quote(Client cid, String post, String key) throws Exception {
        return done(cid, "POST", "/api/v1/statuses?quoted_status_id=" + post, "words of cid", key);
    }

    private JsonObject done(Client who, String method, String path, String text, String key) throws Exception {
        HttpResponse<String> answer = who.send(method, url + path, text, key);
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    /** Cid's own text in quotes of a suspended account's post stays, and cid can still edit and delete it. */
    private void assertQuotesStay(Client cid, String post, String quote, String edited, String repost)
            throws Exception {
        String path = "/api/v1/statuses/" + quote;
        for (String token : List.of(cid.token(), "")) {
            JsonObject shown = new JsonObject(Client.get(url + path, token).body());
            assertThat(shown.getString("content")).contains("words of cid").doesNotContain("ann");
            assertThat(shown.getJsonObject("quote"))
                    .isEqualTo(new JsonObject().put("state", "deleted").putNull("quoted_status"));
        }
        assertThat(quote(cid, post, "a-key").getString("id")).isEqualTo(quote);
        assertThat(done(cid, "PUT", "/api/v1/statuses/" + edited, "other words of cid", "")
                        .getString("content"))
                .contains("other words of cid");
        assertThat(done(cid, "DELETE", "/api/v1/statuses/" + edited, "", "").getString("text"))
                .isEqualTo("other words of cid");
        assertThat(done(cid, "DELETE", path, "", "").getString("text")).isEqualTo("words of cid");
        assertThat(done(cid, "DELETE", "/api/v1/statuses/" + repost, "", "").getValue("reblog"))
                .isNull();
    }

    private void assertTiesAreTakenBack(Client ann, Client cid) throws Exception {
        String path = "/api/v1/accounts/" + ann.id();
        assertThat(done(cid, "POST", path + "/unmute", "", "").getBoolean("muting"))
                .isFalse();
        assertThat(done(cid, "POST", path + "/remove_from_followers", "", "").getBoolean("followed_by"))
                .isFalse();
        assertThat(done(cid, "POST", path + "/unfollow", "", "").getBoolean("following"))
                .isFalse();
        assertThat(done(cid, "POST", path + "/unblock", "", "").getBoolean("blocking"))
                .isFalse();
        HttpResponse<String> many = cid.send("POST", url + "/api/v1/accounts/unfollow?id[]=" + ann.id(), "", "");
        assertThat(many.body()).contains("\"following\":false");
    }

    @Test
    void anotherPasswordIsShownOnceAndEndsWhatWasOpenedWithTheOneBefore() throws Exception {
        ConsoleBrowser operator = start(OPERATOR);
        try {
            Client ann = Client.signUp(url, "ann");
            HttpResponse<String> session = logIn("ann", Client.PASSWORD);
            assertThat(session.statusCode()).isEqualTo(200);

            JsonObject done = operator.act("accounts/reset-password", new JsonObject().put("account", ann.id()));
            String first = done.getString("password");
            assertThat(first).matches("[\\w-]{20}");
            assertThat(done.getLong("ended")).isEqualTo(2);
            Awaitility.await().atMost(APPLIED_MAX).untilAsserted(() -> assertThat(
                            answer("/api/v1/accounts/verify_credentials", ann.token()))
                    .startsWith("401 "));
            assertThat(logIn("ann", Client.PASSWORD).statusCode()).isEqualTo(401);
            assertThat(logIn("ann", first).statusCode()).isEqualTo(200);

            JsonObject again = new JsonObject(admin("reset-password", "@ann", "--json"));
            String second = again.getString("password");
            assertThat(second).matches("[\\w-]{20}").isNotEqualTo(first);
            assertThat(logIn("ann", first).statusCode()).isEqualTo(401);
            assertThat(logIn("ann@example.org", second).statusCode()).isEqualTo(200);
            assertThat(admin("reset-password", "ann")).contains("the new password of ann is", "1 sessions have ended");

            assertThat(operator.look("accounts/one?account=ann").encode()).doesNotContain(first, second);
            assertThat(up.output())
                    .contains("outcome=done given=\"account=" + ann.id() + "\"")
                    .doesNotContain(first, second);
        } finally {
            up.close();
        }
    }

    /** As our own pages log in. */
    private HttpResponse<String> logIn(String name, String password) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/session"))
                .timeout(Duration.ofSeconds(30))
                .header("X-Fanfare-Page", "1")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(new JsonObject()
                        .put("username", name)
                        .put("password", password)
                        .encode()))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String admin(String... command) {
        List<String> line = new ArrayList<>(List.of("admin", "accounts"));
        line.addAll(List.of(command));
        return run(line);
    }

    private String verify() {
        return run(new ArrayList<>(List.of("admin", "verify")));
    }

    private String run(List<String> line) {
        line.addAll(List.of("--data", data.toString()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).as(run.err() + run.out()).isZero();
        return run.out();
    }
}
