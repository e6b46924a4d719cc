package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator moderates at the console as with {@code fanfare admin}. */
@Timeout(240)
class ConsoleModerationTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final String VIEWER = "a-viewer-of-this-test";
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    @TempDir
    static Path dir;

    private static FanfareProcess up;
    private static String url;
    private static ConsoleBrowser operator;
    private static ConsoleBrowser viewer;

    @BeforeAll
    static void start() {
        up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "limits.enabled=false",
                "--set",
                "signals.links=hold",
                "--set",
                "console.operator-token=" + OPERATOR,
                "--set",
                "console.viewer-token=" + VIEWER);
        url = up.runtime().httpUrl();
        operator = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
        viewer = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), VIEWER);
    }

    @AfterAll
    static void stop() {
        up.close();
    }

    /** Its id. */
    private static String hold(Client author, String text) throws Exception {
        HttpResponse<String> answer =
                author.send("POST", url + "/api/v1/statuses", text + " https://elsewhere.example/", "");
        assertThat(answer.body()).contains("ERR_HELD");
        return new JsonArray(Client.get(url + "/api/v1/held_statuses", author.token())
                        .body())
                .getJsonObject(0)
                .getString("id");
    }

    private static JsonArray published(Client author) throws Exception {
        return new JsonArray(Client.get(url + "/api/v1/accounts/" + author.id() + "/statuses", author.token())
                .body());
    }

    /** The newest entry of the log of acts, and the last line of the audit log about the action. */
    private static void assertLogged(String path, String action, String why) {
        JsonObject entry =
                operator.look("audit?action=" + action).getJsonArray("entries").getJsonObject(0);
        assertThat(entry.getString("via")).isEqualTo("console");
        assertThat(entry.getString("why")).isEqualTo(why);
        assertThat(up.output()).contains("event=console-action action=" + path + " role=operator");
    }

    /** A viewer may not act, neither may a page of another origin, and a name that is unknown is refused. */
    private static void assertOperatorsOnly(String path, JsonObject body) {
        assertThat(viewer.post(path, body).statusCode()).as("a viewer").isEqualTo(403);
        assertThat(new ConsoleBrowser(up.runtime().managementUrl())
                        .post(path, body)
                        .statusCode())
                .as("a stranger")
                .isEqualTo(401);
        assertThat(operator.send("POST", "/api/" + path, body.encode()).statusCode())
                .as("another page with the cookie")
                .isIn(401, 403);
        assertThat(operator.post(path, body.copy().put("other", "x")).statusCode())
                .as("an unknown argument")
                .isEqualTo(400);
    }

    @Test
    void postsThatWaitAreReadApprovedTrustedAndRejected() throws Exception {
        Client ann = Client.signUp(url, "ann");
        String first = hold(ann, "first");
        String second = hold(ann, "second");
        JsonArray waiting = viewer.look("held").getJsonArray("held");
        assertThat(waiting).hasSize(2);
        JsonObject newest = waiting.getJsonObject(0);
        assertThat(newest.getString("id")).isEqualTo(second);
        assertThat(newest.getString("username")).isEqualTo("ann");
        assertThat(newest.getString("signal")).isEqualTo("links");
        assertThat(newest.getString("text")).startsWith("second");
        assertThat(viewer.look("held?before=" + second).getJsonArray("held")).hasSize(1);
        assertThat(viewer.get("held?before=x").statusCode()).isEqualTo(400);

        JsonObject reject = new JsonObject()
                .put("post", second)
                .put("notice", "No adverts.")
                .put("why", "spam");
        assertOperatorsOnly("held/reject", reject);
        assertThat(operator.post("held/reject", reject.copy().put("notice", "x".repeat(501)))
                        .statusCode())
                .isEqualTo(400);
        operator.act("held/reject", reject);
        assertLogged("held/reject", "held.reject", "spam");
        assertThat(Client.get(url + "/api/v1/warnings", ann.token()).body()).contains("second", "No adverts.");
        assertThat(up.output()).as("messages to people are not logged").doesNotContain("No adverts.");
        assertThat(operator.post("held/reject", reject).statusCode()).isEqualTo(404);

        JsonObject approve =
                new JsonObject().put("post", first).put("trust", true).put("why", "known");
        assertOperatorsOnly("held/approve", approve);
        operator.act("held/approve", approve);
        assertLogged("held/approve", "held.approve", "known");
        Awaitility.await("the post is published")
                .atMost(WAIT_MAX)
                .until(() -> published(ann).size() == 1);
        assertThat(ann.post(url, "third https://elsewhere.example/"))
                .as("the account is trusted")
                .isNotEmpty();
        assertThat(viewer.look("held").getJsonArray("held")).isEmpty();
    }

    @Test
    void networksMailDomainsAndNamesAreBlockedAndReleased() {
        JsonObject add = new JsonObject()
                .put("kind", "network")
                .put("values", "198.51.100.0/24\n# a wave\n\n2001:db8::/48")
                .put("severity", "sign_up_requires_approval")
                .put("days", 2)
                .put("why", "a wave");
        assertOperatorsOnly("blocks/add", add);
        assertThat(operator.act("blocks/add", add).getJsonArray("added")).hasSize(2);
        assertLogged("blocks/add", "blocks.add", "a wave");
        JsonObject again = operator.act("blocks/add", add.copy().put("values", "198.51.100.9/24\n203.0.113.0/24"));
        assertThat(again.getInteger("known")).isEqualTo(1);
        JsonArray networks = viewer.look("blocks?kind=network").getJsonArray("blocks");
        assertThat(networks).hasSize(3);
        JsonObject newest = networks.getJsonObject(0);
        assertThat(newest.getString("value")).isEqualTo("203.0.113.0/24");
        assertThat(newest.getString("severity")).isEqualTo("sign_up_requires_approval");
        assertThat(newest.getString("comment")).isEqualTo("a wave");
        assertThat(newest.getString("ends")).isNotEmpty();
        assertThat(viewer.look("blocks?kind=network&before=" + newest.getString("id"))
                        .getJsonArray("blocks"))
                .hasSize(2);
        operator.act("blocks/add", new JsonObject().put("kind", "name").put("values", "Casino*"));
        assertThat(viewer.look("blocks?kind=name").encode()).contains("casino*");

        JsonObject remove = new JsonObject().put("kind", "network").put("values", "198.51.100.0/24");
        assertOperatorsOnly("blocks/remove", remove);
        assertThat(operator.act("blocks/remove", remove.put("why", "over")).getInteger("removed"))
                .isEqualTo(1);
        assertLogged("blocks/remove", "blocks.remove", "over");
        assertThat(operator.look("audit?action=blocks.remove").encode()).contains("network 198.51.100.0/24");
        for (String refused : List.of("127.0.0.1", "0.0.0.0/0", "x", "")) {
            assertThat(operator.post("blocks/add", add.copy().put("values", refused))
                            .statusCode())
                    .as(refused)
                    .isIn(400, 422);
        }
        assertThat(viewer.get("blocks?kind=planet").statusCode()).isEqualTo(400);
        assertThat(viewer.look("blocks?kind=network").getJsonArray("blocks")).hasSize(2);
    }

    @Test
    void theSwitchesOfTheSiteShowWhetherTheyAreOn() {
        assertThat(viewer.look("switches").getString("no-uploads")).isNull();
        operator.act("site/on", new JsonObject().put("switch", "no-uploads"));
        assertThat(viewer.look("switches").getString("no-uploads")).isNotEmpty();
        operator.act("site/off", new JsonObject().put("switch", "no-uploads"));
        assertThat(viewer.look("site").getJsonArray("rules")).isEmpty();
    }
}
