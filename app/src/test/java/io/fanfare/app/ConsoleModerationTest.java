package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
        JsonArray waiting = operator.look("held").getJsonArray("held");
        assertThat(waiting).hasSize(2);
        JsonObject newest = waiting.getJsonObject(0);
        assertThat(newest.getString("id")).isEqualTo(second);
        assertThat(newest.getString("username")).isEqualTo("ann");
        assertThat(newest.getString("signal")).isEqualTo("links");
        assertThat(newest.getString("text")).startsWith("second");
        assertThat(operator.look("held?before=" + second).getJsonArray("held")).hasSize(1);
        assertThat(operator.get("held?before=x").statusCode()).isEqualTo(400);

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
        assertThat(operator.look("held").getJsonArray("held")).isEmpty();
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
        JsonArray networks = operator.look("blocks?kind=network").getJsonArray("blocks");
        assertThat(networks).hasSize(3);
        JsonObject newest = networks.getJsonObject(0);
        assertThat(newest.getString("value")).isEqualTo("203.0.113.0/24");
        assertThat(newest.getString("severity")).isEqualTo("sign_up_requires_approval");
        assertThat(newest.getString("comment")).isEqualTo("a wave");
        assertThat(newest.getString("ends")).isNotEmpty();
        assertThat(operator.look("blocks?kind=network&before=" + newest.getString("id"))
                        .getJsonArray("blocks"))
                .hasSize(2);
        operator.act("blocks/add", new JsonObject().put("kind", "name").put("values", "Casino*"));
        assertThat(operator.look("blocks?kind=name").encode()).contains("casino*");

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
        assertThat(operator.get("blocks?kind=planet").statusCode()).isEqualTo(400);
        assertThat(operator.look("blocks?kind=network").getJsonArray("blocks")).hasSize(2);
    }

    @Test
    void manyAccountsAreSelectedLimitedAndGivenBack() throws Exception {
        Client bob = Client.signUp(url, "bob");
        Client cat = Client.signUp(url, "cat");
        JsonObject make = new JsonObject().put("names", "@bob\n" + cat.id()).put("since", "1h");
        assertOperatorsOnly("accounts/selection/make", make);
        JsonObject made = operator.act("accounts/selection/make", make);
        long number = made.getLong("number");
        assertThat(made.getInteger("count")).isEqualTo(2);
        assertThat(made.getJsonArray("accounts").encode()).contains(bob.id() + " @bob", "@cat");
        assertThat(up.output()).contains("action=accounts/selection/make").doesNotContain("@bob");

        JsonObject act = new JsonObject()
                .put("selection", number)
                .put("act", "limit")
                .put("text", "You are limited.")
                .put("why", "wave");
        assertOperatorsOnly("accounts/selection/act", act);
        assertThat(operator.post("accounts/selection/act", act.copy().put("act", "delete"))
                        .statusCode())
                .isEqualTo(400);
        operator.act("accounts/selection/act", act);
        assertThat(awaitDone(number, false).getInteger("changed")).isEqualTo(2);
        assertThat(operator.look("accounts/one?account=bob").getString("limited_at"))
                .isNotEmpty();
        assertLogged("accounts/selection/act", "selections.limit", "wave");
        assertThat(Client.get(url + "/api/v1/warnings", bob.token()).body()).contains("You are limited.");
        assertThat(up.output()).doesNotContain("You are limited.");

        JsonObject undo = new JsonObject().put("selection", number).put("why", "mistake");
        assertOperatorsOnly("accounts/selection/undo", undo);
        operator.act("accounts/selection/undo", undo);
        assertThat(awaitDone(number, true).getInteger("restored")).isEqualTo(2);
        assertThat(operator.look("accounts/one?account=bob").getString("limited_at"))
                .isNull();
        assertLogged("accounts/selection/undo", "selections.undo", "mistake");
        assertThat(operator.look("selections?before=" + number).getJsonArray("selections").stream())
                .as("older ones, which another test may have made")
                .noneMatch(one -> ((JsonObject) one).getLong("number") >= number);

        assertThat(operator.post("accounts/selection/make", new JsonObject().put("names", "nobody_here"))
                        .statusCode())
                .isEqualTo(404);
        for (JsonObject refused : List.of(
                new JsonObject(),
                new JsonObject().put("text", "ab"),
                new JsonObject().put("from", "10.0.0.0/8"),
                new JsonObject().put("since", "yesterday"),
                new JsonObject().put("until", "+292278995-01-01T00:00:00Z"),
                new JsonObject().put("names", "x ".repeat(501)))) {
            assertThat(operator.post("accounts/selection/make", refused).statusCode())
                    .as(refused.encode())
                    .isEqualTo(400);
        }
        assertThat(operator.act(
                                "accounts/selection/make",
                                new JsonObject().put("names", "bob").put("until", "1960-01-01T00:00:00Z"))
                        .getInteger("count"))
                .as("a bound before 1970 is a bound")
                .isZero();
        assertThat(operator.act("accounts/selection/make", new JsonObject().put("from", "127.0.0.1"))
                        .getInteger("count"))
                .as("the process has the signing key, with which networks are looked for")
                .isPositive();
    }

    /** The act on a selection once it is done. */
    private static JsonObject awaitDone(long number, boolean undo) {
        return Awaitility.await()
                .atMost(WAIT_MAX)
                .until(
                        () -> operator.look("selections").getJsonArray("selections").stream()
                                .map(JsonObject.class::cast)
                                .filter(one -> one.getLong("number") == number)
                                .findFirst()
                                .orElseThrow()
                                .getJsonObject("act"),
                        act -> act.getString("phase").equals("done") && act.getBoolean("undo") == undo);
    }

    @Test
    void invitationsAreMadeListedAndRevoked() {
        JsonObject create = new JsonObject()
                .put("uses", 2)
                .put("days", 3)
                .put("comment", "the chess club")
                .put("why", "asked");
        assertOperatorsOnly("invitations/create", create);
        JsonObject made = operator.act("invitations/create", create);
        String code = made.getString("code");
        assertThat(made.getString("url")).isEqualTo(url + "/invite/" + code);
        assertLogged("invitations/create", "invitations.create", "asked");
        String second = operator.act("invitations/create", new JsonObject()).getString("code");
        JsonArray all = operator.look("invitations").getJsonArray("invitations");
        assertThat(all).hasSize(2);
        assertThat(all.encode()).contains(code, second, "the chess club");
        String newest = all.getJsonObject(0).getString("code");
        assertThat(operator.look("invitations?before=" + newest).getJsonArray("invitations"))
                .hasSize(1);
        assertThat(operator.post("invitations/create", create.copy().put("uses", 0))
                        .statusCode())
                .isEqualTo(400);

        JsonObject revoke = new JsonObject().put("code", code).put("why", "over");
        assertOperatorsOnly("invitations/revoke", revoke);
        assertThat(operator.act("invitations/revoke", revoke).getBoolean("changed"))
                .isTrue();
        assertLogged("invitations/revoke", "invitations.revoke", "over");
        assertThat(up.output()).as("a code is no less usable in a log").doesNotContain(code, second);
        assertThat(operator.get("invitations?before=" + code).statusCode()).isEqualTo(404);
        assertThat(operator.look("invitations").getJsonArray("invitations")).hasSize(1);
    }

    @Test
    void notesOnAnAccountAreWrittenAndRemovedAndStayOutOfTheLog() throws Exception {
        Client.signUp(url, "dan").revoke(url);
        JsonObject note = new JsonObject().put("account", "dan").put("text", "Sells watches.");
        assertOperatorsOnly("accounts/note", note);
        String id = operator.act("accounts/note", note).getString("id");
        assertThat(operator.post("accounts/note", note.copy().put("text", "x".repeat(2001)))
                        .statusCode())
                .isEqualTo(400);
        assertThat(operator.post("accounts/note", note.copy().put("text", " ")).statusCode())
                .isEqualTo(400);
        JsonArray notes = operator.look("accounts/notes?account=dan").getJsonArray("notes");
        assertThat(notes).hasSize(1);
        assertThat(notes.getJsonObject(0).getString("text")).isEqualTo("Sells watches.");
        assertThat(notes.getJsonObject(0).getString("operator")).isNotEmpty();
        assertLogged("accounts/note", "accounts.note", "");
        assertThat(up.output()).doesNotContain("Sells watches.");

        JsonObject remove = new JsonObject().put("account", "dan").put("note", id);
        assertOperatorsOnly("accounts/unnote", remove);
        operator.act("accounts/unnote", remove);
        assertLogged("accounts/unnote", "accounts.unnote", "");
        assertThat(operator.look("accounts/notes?account=dan").getJsonArray("notes"))
                .isEmpty();
        assertThat(operator.post("accounts/unnote", remove).statusCode()).isEqualTo(404);
    }

    @Test
    void anAccountGetsAnotherAddressWhichStaysOutOfTheLog() throws Exception {
        Client.signUp(url, "eve").revoke(url);
        JsonObject mail = new JsonObject()
                .put("account", "eve")
                .put("address", "Eve@New.example")
                .put("why", "lost the former one");
        assertOperatorsOnly("accounts/mail", mail);
        operator.act("accounts/mail", mail);
        assertThat(operator.look("accounts/one?account=eve").getString("email")).isEqualTo("eve@new.example");
        assertLogged("accounts/mail", "accounts.mail", "lost the former one");
        assertThat(up.output()).doesNotContainIgnoringCase("eve@new.example");
        assertThat(operator.post("accounts/mail", mail.copy().put("address", "nothing"))
                        .statusCode())
                .isEqualTo(422);
    }

    /** The id of the first warning of an account, against which it appeals. */
    private static String appeal(Client account, String text) throws Exception {
        String warning = new JsonArray(
                        Client.get(url + "/api/v1/warnings", account.token()).body())
                .getJsonObject(0)
                .getString("id");
        HttpResponse<String> made = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url + "/api/v1/warnings/" + warning + "/appeal"))
                                .header("Authorization", "Bearer " + account.token())
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        new JsonObject().put("text", text).encode()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        return warning;
    }

    @Test
    void anAppealIsApprovedWhichLiftsTheRestrictionAndAnotherIsRejected() throws Exception {
        Client fay = Client.signUp(url, "fay");
        Client gil = Client.signUp(url, "gil");
        long number = operator.act("accounts/selection/make", new JsonObject().put("names", "fay gil"))
                .getLong("number");
        operator.act(
                "accounts/selection/act",
                new JsonObject().put("selection", number).put("act", "limit").put("text", "Too loud."));
        assertThat(awaitDone(number, false).getInteger("changed")).isEqualTo(2);
        String first = appeal(fay, "I was not.");
        String second = appeal(gil, "Please.");
        JsonArray waiting = operator.look("appeals").getJsonArray("appeals");
        assertThat(waiting).hasSize(2);
        assertThat(waiting.encode()).contains("fay", "silence", "Too loud.", "I was not.");
        String newest = waiting.getJsonObject(0).getString("id");
        assertThat(operator.look("appeals?before=" + newest).getJsonArray("appeals"))
                .hasSize(1);

        JsonObject approve =
                new JsonObject().put("account", "fay").put("appeal", first).put("why", "a mistake");
        assertOperatorsOnly("appeals/approve", approve);
        operator.act("appeals/approve", approve);
        assertLogged("appeals/approve", "appeals.approve", "a mistake");
        assertThat(operator.look("accounts/one?account=fay").getString("limited_at"))
                .isNull();

        JsonObject reject =
                new JsonObject().put("account", gil.id()).put("appeal", second).put("why", "it was loud");
        assertOperatorsOnly("appeals/reject", reject);
        operator.act("appeals/reject", reject);
        assertLogged("appeals/reject", "appeals.reject", "it was loud");
        assertThat(operator.look("accounts/one?account=gil").getString("limited_at"))
                .isNotEmpty();
        assertThat(operator.post("appeals/approve", reject).statusCode()).isEqualTo(422);
        assertThat(operator.look("appeals").getJsonArray("appeals")).isEmpty();
    }

    /** A new query is added here when everybody with the token of viewers may read its answer. */
    @Test
    void aViewerReadsNothingThatIsPrivate() throws Exception {
        Client.signUp(url, "hal").revoke(url);
        operator.act("accounts/mail", new JsonObject().put("account", "hal").put("address", "hal@private.example"));
        operator.act("accounts/note", new JsonObject().put("account", "hal").put("text", "Sells clocks."));
        assertThat(viewer.look("session").getJsonArray("operations"))
                .containsExactlyInAnyOrder(
                        "overview",
                        "history",
                        "state",
                        "queue",
                        "queue/job",
                        "queue/failures",
                        "queue/authors",
                        "queue/delayed",
                        "dead",
                        "streams",
                        "redis",
                        "redis/memory",
                        "accounts",
                        "accounts/one",
                        "sign-ups",
                        "switches",
                        "roles",
                        "site",
                        "texts",
                        "settings");
        for (String path : List.of(
                "reports",
                "held",
                "appeals",
                "blocks?kind=mail",
                "selections",
                "invitations",
                "audit",
                "accounts/pending",
                "accounts/notes?account=hal")) {
            assertThat(viewer.get(path).statusCode()).as("a viewer, %s", path).isEqualTo(403);
            assertThat(new ConsoleBrowser(up.runtime().managementUrl())
                            .send("GET", "/api/" + path, "", "Authorization", "Bearer " + VIEWER)
                            .statusCode())
                    .as("a program with the token of viewers, %s", path)
                    .isEqualTo(403);
            assertThat(operator.get(path).statusCode())
                    .as("an operator, %s", path)
                    .isEqualTo(200);
        }
        JsonObject shown = viewer.look("accounts/one?account=hal");
        assertThat(shown.getString("username")).isEqualTo("hal");
        assertThat(shown.fieldNames()).doesNotContain("email", "reason");
        assertThat(operator.look("accounts/one?account=hal").getString("email")).isEqualTo("hal@private.example");
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
