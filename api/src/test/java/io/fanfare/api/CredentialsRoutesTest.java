package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.oauth.Passwords;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsRoutesTest {
    private static final String UPDATE = "/api/v1/accounts/update_credentials";
    private static final String[] STORED_FIELDS = {
        "state",
        "name",
        "display",
        "email",
        "pw",
        "followers",
        "following",
        "posts",
        "last",
        "version",
        "rev",
        "disc",
        "index",
        "fields",
        "privacy",
        "language",
        "uid",
        "text",
        "vis",
        "cw",
        "sens",
        "lang",
        "reply",
        "replyto",
        "app",
        "likes",
        "reposts",
        "quotes",
        "comments",
        "gone",
        "kind",
        "root",
        "original",
        "secret",
        "redirects",
        "shards",
        "format",
        "signing-key",
        "id",
        "admin",
        "role",
        "user_id",
        "account_id"
    };

    private static TestRedis redis;
    private static ApiServer api;
    private static int names;

    @BeforeAll
    static void start() {
        redis = TestRedis.standalone();
        redis.flush();
        api = new ApiServer(redis);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    private static User somebody() {
        return api.signUp("user" + ++names);
    }

    @Test
    void aProfileUpdateChangesTheGivenFieldsOnly() {
        User ann = somebody();
        Response changed = patch(
                ann,
                "{\"display_name\":\" Ann\\tA. \",\"note\":\"I <3 https://x.example\",\"bot\":true,\"discoverable\":false,\"indexable\":\"0\"}");

        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/display_name")).isEqualTo("Ann A.");
        assertThat(changed.text("/note")).contains("I &lt;3", "<a href=\"https://x.example\"");
        assertThat(changed.text("/source/note")).isEqualTo("I <3 https://x.example");
        Response later = patch(ann, "{\"display_name\":\"\"}");
        assertThat(later.text("/display_name")).isEmpty();
        Response seen = api.get("/api/v1/accounts/" + ann.id(), null);
        assertThat(seen.json().path("bot").asBoolean()).isTrue();
        assertThat(seen.json().path("discoverable").asBoolean()).isFalse();
        assertThat(seen.json().path("noindex").asBoolean()).isTrue();
        assertThat(hash(ann)).containsEntry("rev", "2").doesNotContainKey("display");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json | {"fields_attributes":{"0":{"name":"a","value":"1"},"1":{"name":"b","value":"2"}}}
            application/json | {"fields_attributes":[{"name":"a","value":"1"},{"name":"b","value":"2"}]}
            application/x-www-form-urlencoded | fields_attributes[0][name]=a&fields_attributes[0][value]=1&fields_attributes[1][name]=b&fields_attributes[1][value]=2
            application/x-www-form-urlencoded | fields_attributes[][name]=a&fields_attributes[][value]=1&fields_attributes[][name]=b&fields_attributes[][value]=2
            """)
    void fieldsComeInEveryFormThatClientsSend(String type, String body) {
        User ann = somebody();
        Response changed = api.send("PATCH", UPDATE, ann.token(), type, body);

        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().path("fields").toString())
                .isEqualTo(
                        "[{\"name\":\"a\",\"value\":\"1\",\"verified_at\":null},{\"name\":\"b\",\"value\":\"2\",\"verified_at\":null}]");
        assertThat(patch(ann, "{\"fields_attributes\":[{\"name\":\"\",\"value\":\"x\"}]}")
                        .json()
                        .path("fields"))
                .isEmpty();
    }

    @Test
    void fieldsAreEscapedWhereTheyAreHtml() {
        Response changed = patch(somebody(), "{\"fields_attributes\":[{\"name\":\"<b>\",\"value\":\"<i>\\n\\tx\"}]}");

        assertThat(changed.text("/fields/0/value")).isEqualTo("&lt;i&gt; x");
        assertThat(changed.text("/source/fields/0/value")).isEqualTo("<i> x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"display_name\":null,\"note\":null,\"source\":null}",
                "{\"display_name\":{\"x\":1},\"note\":{\"x\":[1]},\"bot\":{\"x\":1}}",
                "{\"source\":{\"privacy\":{\"x\":1},\"language\":{\"x\":1},\"sensitive\":{}}}",
                "{\"display_name\":[],\"note\":[[]],\"source\":[]}"
            })
    void anInvalidValueChangesNothing(String body) {
        User ann = somebody();
        String before = patch(ann, "{\"display_name\":\"Ann\",\"note\":\"words\",\"source\":{\"language\":\"de\"}}")
                .body();

        assertThat(patch(ann, body).body()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"display_name, 30", "note, 500"})
    void textsHaveALengthInCharactersThatPeopleSee(String field, int max) {
        User ann = somebody();

        for (String character : List.of("a", "😀", "👨‍👩‍👧‍👦", "e\u0301", "한")) {
            assertThat(patch(ann, "{\"" + field + "\":\"" + character.repeat(max) + "\"}")
                            .status())
                    .as(character)
                    .isEqualTo(200);
            Response refused = patch(ann, "{\"" + field + "\":\"" + character.repeat(max + 1) + "\"}");
            assertThat(refused.status()).as(character).isEqualTo(422);
            assertThat(refused.text("/details/" + field + "/0/error")).isEqualTo("ERR_TOO_LONG");
        }
        // One character of nine parts, again and again, is not kept.
        assertThat(patch(ann, "{\"" + field + "\":\"" + ("a" + "\u0301".repeat(9)).repeat(max) + "\"}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void websitesThatMayNameAnAuthorAreKeptAndShownToTheAuthor() {
        User ann = somebody();
        Response kept = patch(
                ann, "{\"attribution_domains\":[\" Example.COM\",\"https://*.b\u00fccher.example/\",\"example.com\"]}");

        assertThat(kept.status()).as(kept.body()).isEqualTo(200);
        assertThat(kept.json().at("/source/attribution_domains").toString())
                .isEqualTo("[\"example.com\",\"xn--bcher-kva.example\"]");
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token())
                        .json()
                        .at("/source/attribution_domains"))
                .hasSize(2);
        assertThat(patch(ann, "{\"note\":\"else\"}").json().at("/source/attribution_domains"))
                .hasSize(2);
        assertThat(api.get("/api/v1/accounts/" + ann.id(), null).body()).doesNotContain("example.com");
        assertThat(patch(ann, "{\"attribution_domains\":[]}").json().at("/source/attribution_domains"))
                .isEmpty();
    }

    @Test
    void websitesThatMayNameAnAuthorHaveLimits() {
        User ann = somebody();
        String ten =
                IntStream.range(0, 10).mapToObj(i -> "\"" + i + ".example\"").collect(Collectors.joining(","));

        assertThat(patch(ann, "{\"attribution_domains\":[" + ten + "]}").status())
                .isEqualTo(200);
        assertThat(patch(ann, "{\"attribution_domains\":[" + ten + ",\"more.example\"]}")
                        .text("/error"))
                .contains("attribution_domains are too many (at most 10)");
        List<String> wrong = List.of(
                "localhost",
                "a b.example",
                "example.com/page",
                "-a.example",
                "a..b",
                "x".repeat(64) + ".example",
                "a.".repeat(130) + "example",
                "\u212a".repeat(400));
        for (String domain : wrong) {
            assertThat(patch(ann, "{\"attribution_domains\":[\"" + domain + "\"]}")
                            .text("/error"))
                    .as(domain)
                    .contains("attribution_domains must be names of websites");
        }
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token())
                        .json()
                        .at("/source/attribution_domains"))
                .hasSize(10);
    }

    @Test
    void fieldsHaveLimits() {
        User ann = somebody();
        String field = "{\"name\":\"n\",\"value\":\"v\"}";

        assertThat(patch(ann, "{\"fields_attributes\":[" + (field + ",").repeat(3) + field + "]}")
                        .status())
                .isEqualTo(200);
        assertThat(patch(ann, "{\"fields_attributes\":[" + (field + ",").repeat(4) + field + "]}")
                        .status())
                .isEqualTo(422);
        assertThat(patch(ann, "{\"fields_attributes\":[{\"name\":\"n\",\"value\":\"" + "x".repeat(255) + "\"}]}")
                        .status())
                .isEqualTo(200);
        assertThat(patch(ann, "{\"fields_attributes\":[{\"name\":\"n\",\"value\":\"" + "x".repeat(256) + "\"}]}")
                        .status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "avatar, x, 422",
        "header, x, 422",
        "avatar, '', 200",
        "source[quote_policy], friends, 422",
        "source[quote_policy], nobody, 200"
    })
    void avatarHeaderAndQuotePolicyAreValidated(String field, String value, int status) {
        assertThat(patch(somebody(), "{\"" + field + "\":\"" + value + "\"}").status())
                .isEqualTo(status);
    }

    @Test
    void aReaderMayTurnOffTheFoldingOfReposts() {
        User ann = somebody();
        User bob = somebody();
        api.follow(ann, bob);
        String post = api.publish(ann, "hello");
        String repost =
                api.post("/api/v1/statuses/" + post + "/reblog", bob.token()).text("/id");
        assertThat(home(ann)).containsExactly(post);
        assertThat(patch(ann, "{\"source\":{\"aggregate_reblogs\":false}}").text("/source/aggregate_reblogs"))
                .isEqualTo("false");
        assertThat(home(ann)).containsExactly(repost, post);
        assertThat(api.get("/api/v1/preferences", ann.token())
                        .json()
                        .get("reading:aggregate:reblogs")
                        .asBoolean())
                .isFalse();
        assertThat(patch(ann, "{\"source\":{\"language\":\"de\"}}").text("/source/aggregate_reblogs"))
                .as("what is not said stays")
                .isEqualTo("false");
        assertThat(patch(ann, "{\"source\":{\"aggregate_reblogs\":true}}").text("/source/aggregate_reblogs"))
                .isEqualTo("true");
        assertThat(home(ann)).containsExactly(post);
    }

    private static List<String> home(User user) {
        return api.get("/api/v1/timelines/home", user.token()).each("id");
    }

    @Test
    void postingDefaultsAreStoredAndShown() {
        User ann = somebody();
        Response changed = patch(ann, "{\"source\":{\"privacy\":\"unlisted\",\"sensitive\":true,\"language\":\"de\"}}");

        assertThat(changed.text("/source/privacy")).isEqualTo("unlisted");
        Response preferences = api.get("/api/v1/preferences", ann.token());
        assertThat(preferences.json().path("posting:default:visibility").asText())
                .isEqualTo("unlisted");
        assertThat(preferences.json().path("posting:default:sensitive").asBoolean())
                .isTrue();
        assertThat(preferences.json().path("posting:default:language").asText()).isEqualTo("de");
        assertThat(patch(ann, "{\"source\":{\"privacy\":\"direct\"}}").status()).isEqualTo(422);
        assertThat(patch(ann, "{\"source\":{\"language\":\"x\"}}").status()).isEqualTo(422);
    }

    /**
     * They are remembered, and whoever publishes notices that they have changed: here and on another event loop alike.
     */
    @Test
    void theNextPostIsAsTheAuthorHasSetJustNow() {
        User ann = somebody();
        Response before = api.post("/api/v1/statuses", ann.token(), "status", "before");
        Response hidden = patch(ann, "{\"source\":{\"privacy\":\"private\",\"language\":\"de\"}}");
        Response after = api.post("/api/v1/statuses", ann.token(), "status", "after");
        Response renamed = patch(ann, "{\"display_name\":\"Ann\"}");
        Response last = api.post("/api/v1/statuses", ann.token(), "status", "last");

        assertThat(List.of(before, hidden, after, renamed, last))
                .extracting(Response::status)
                .containsOnly(200);
        assertThat(before.text("/visibility")).isEqualTo("public");
        assertThat(after.text("/visibility")).isEqualTo("private");
        assertThat(after.text("/language")).isEqualTo("de");
        assertThat(last.text("/visibility")).isEqualTo("private");
        assertThat(last.text("/account/display_name")).isEqualTo("Ann");
        assertThat(last.text("/account/statuses_count")).isEqualTo("3");
    }

    @Test
    void aPostWithoutOptionsHasTheDefaultsOfItsAuthor() {
        User ann = somebody();
        String original = api.publish(somebody(), "original");
        assertThat(patch(ann, "{\"source\":{\"privacy\":\"private\",\"sensitive\":true,\"language\":\"de\"}}")
                        .status())
                .isEqualTo(200);

        Response post = api.post("/api/v1/statuses", ann.token(), "status", "post");
        Response quote = api.post("/api/v1/statuses", ann.token(), "status", "quote", "quoted_status_id", original);
        Response comment = api.post(
                "/api/v1/statuses/" + original + "/comments", ann.token(), "text", "comment", "also_repost", "true");
        String both = api.get("/api/v1/accounts/" + ann.id() + "/statuses?limit=1", ann.token())
                .text("/0/id");
        Response repost = api.post("/api/v1/statuses/" + original + "/reblog", ann.token());
        Response explicit = api.post(
                "/api/v1/statuses",
                ann.token(),
                "status",
                "said",
                "visibility",
                "unlisted",
                "sensitive",
                "false",
                "language",
                "en");

        for (Response mine : List.of(post, quote, api.get("/api/v1/statuses/" + both, ann.token()))) {
            assertThat(mine.text("/visibility")).isEqualTo("private");
            assertThat(mine.json().path("sensitive").asBoolean()).isTrue();
            assertThat(mine.text("/language")).isEqualTo("de");
        }
        assertThat(comment.text("/visibility"))
                .as("that of what it stands under")
                .isEqualTo("public");
        assertThat(comment.text("/language")).isEqualTo("de");
        assertThat(repost.text("/visibility")).isEqualTo("private");
        assertThat(explicit.text("/visibility")).isEqualTo("unlisted");
        assertThat(explicit.json().path("sensitive").asBoolean()).isFalse();
        assertThat(explicit.text("/language")).isEqualTo("en");
    }

    @Test
    void aNewPasswordEndsEveryOtherToken() {
        User ann = somebody();
        Response app = app();
        String other = logIn(app, ann, ApiServer.PASSWORD).text("/access_token");
        assertThat(api.get("/api/v1/timelines/home", other).status()).isEqualTo(200);

        Response changed = api.post(
                "/api/v1/accounts/password",
                ann.token(),
                "current_password",
                ApiServer.PASSWORD,
                "password",
                "another good password");

        assertThat(changed.status()).isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        TestRedis.awaitUntil(
                "the other token is refused",
                () -> api.get("/api/v1/timelines/home", other).status() == 401);
        assertThat(logIn(app, ann, ApiServer.PASSWORD).status()).isEqualTo(400);
        assertThat(logIn(app, ann, "another good password").status()).isEqualTo(200);
    }

    @Test
    void aDeletedAccountIsGoneAtOnceAndItsNextLogInSaysSo() {
        User ann = somebody();
        User bob = somebody();
        String post =
                api.post("/api/v1/statuses", ann.token(), "status", "hello").text("/id");
        Response app = app();
        String other = logIn(app, ann, ApiServer.PASSWORD).text("/access_token");

        Response deleted = api.post("/api/v1/accounts/delete", ann.token(), "current_password", ApiServer.PASSWORD);

        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.json()).isEmpty();
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(401);
        TestRedis.awaitUntil(
                "the other token is refused",
                () -> api.get("/api/v1/timelines/home", other).status() == 401);
        assertThat(api.get("/api/v1/accounts/" + ann.id(), bob.token()).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/lookup?acct=" + ann.name(), bob.token())
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + post, bob.token()).status()).isEqualTo(404);
        for (String password : List.of(ApiServer.PASSWORD, "not the password")) {
            Response refused = logIn(app, ann, password);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("This account has been deleted");
        }
        assertThat(api.get("/api/v1/accounts/available?username=" + ann.name(), null)
                        .body())
                .doesNotContain("\"available\":true");
        assertThat(hash(ann)).containsEntry("state", "deleted").doesNotContainKeys("pw", "avatar");
    }

    @Test
    void anAccountIsDeletedForItsPasswordOnly() {
        User ann = somebody();
        for (String wrong : List.of("", "wrong")) {
            Response refused = api.post("/api/v1/accounts/delete", ann.token(), "current_password", wrong);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/details/current_password/0/error")).isEqualTo("ERR_INVALID");
        }
        String reader = api.token(
                        app(),
                        "grant_type",
                        "password",
                        "username",
                        ann.name(),
                        "password",
                        ApiServer.PASSWORD,
                        "scope",
                        "read")
                .text("/access_token");
        assertThat(api.post("/api/v1/accounts/delete", reader, "current_password", ApiServer.PASSWORD)
                        .status())
                .isEqualTo(403);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
    }

    @Test
    void aNewPasswordNeedsTheOldOneAndTheRulesOfSignUp() {
        User ann = somebody();
        for (String[] pair : new String[][] {
            {"wrong", "another good password"},
            {ApiServer.PASSWORD, "short"},
            {ApiServer.PASSWORD, "ninechars"},
            {ApiServer.PASSWORD, "password123"},
            {ApiServer.PASSWORD, (ann.name() + "@Example.org")},
            {ApiServer.PASSWORD, ann.name().repeat(5)}
        }) {
            Response refused = api.post(
                    "/api/v1/accounts/password", ann.token(), "current_password", pair[0], "password", pair[1]);
            assertThat(refused.status()).isEqualTo(422);
        }
        assertThat(logIn(app(), ann, ApiServer.PASSWORD).status()).isEqualTo(200);
    }

    @Test
    void noTextOfAProfileHasMoreThanThirtyCombiningMarksInARow() {
        User ann = somebody();
        String marks = "z" + "\u0301\u0323".repeat(15) + "\u0301";
        for (String json : List.of(
                "{\"display_name\":\"" + marks.substring(3) + "\"}",
                "{\"note\":\"" + marks + "\"}",
                "{\"fields_attributes\":[{\"name\":\"" + marks + "\",\"value\":\"x\"}]}",
                "{\"fields_attributes\":[{\"name\":\"x\",\"value\":\"" + marks + "\"}]}")) {
            boolean fits = json.startsWith("{\"display");
            assertThat(patch(ann, json).status()).as(json).isEqualTo(fits ? 200 : 422);
        }
    }

    @Test
    void aPasswordFromBeforeTheRulesGoesOnBeingGood() {
        User ann = somebody();
        Settings.Auth cheap = SettingsLoader.defaultsWith("auth.argon-memory-kib=8", "auth.argon-passes=1")
                .auth();
        try (Passwords passwords = new Passwords(api.vertx, new SecureRandom(), cheap)) {
            String key = Keys.user(Long.parseLong(ann.id()));
            assertThat(redis.askAt(key, "HSET", key, "pw", TestRedis.await(passwords.hash("8letters"))))
                    .isNotNull();
        }
        assertThat(logIn(app(), ann, "8letters").status()).isEqualTo(200);
    }

    @Test
    void tokensAreListedAndEndedByTheirOwner() {
        User ann = somebody();
        User eve = somebody();
        String other = logIn(app(), ann, ApiServer.PASSWORD).text("/access_token");

        Response listed = api.post("/api/v1/tokens/list", ann.token(), "current_password", ApiServer.PASSWORD);
        assertThat(listed.json()).hasSize(2);
        assertThat(listed.each("client")).containsExactlyInAnyOrder("Tester", "null");
        assertThat(listed.body()).doesNotContain(other);
        List<String> others = new ArrayList<>();
        listed.json().forEach(token -> {
            if (!token.path("current").asBoolean()) {
                others.add(token.path("id").asText());
            }
        });
        assertThat(others).hasSize(1);
        assertThat(end(others.get(0), eve.token(), ApiServer.PASSWORD).status())
                .as("somebody else's")
                .isEqualTo(404);
        assertThat(end(others.get(0), ann.token(), ApiServer.PASSWORD).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", other).status()).isEqualTo(401);
        assertThat(end(others.get(0), ann.token(), ApiServer.PASSWORD).status()).isEqualTo(404);
    }

    private static Response end(String tokenId, String token, String password) {
        return api.post("/api/v1/tokens/" + tokenId + "/revoke", token, "current_password", password);
    }

    @Test
    void anAppSeesAndEndsNoSessionButItsOwn() {
        User ann = somebody();
        Response client = app();
        String first = logIn(client, ann, ApiServer.PASSWORD).text("/access_token");
        String second = logIn(client, ann, ApiServer.PASSWORD).text("/access_token");
        String foreign = logIn(app(), ann, ApiServer.PASSWORD).text("/access_token");
        List<String> own = api.get("/api/v1/tokens", first).each("id");
        List<String> ofForeign = api.get("/api/v1/tokens", foreign).each("id");
        List<String> bySignUp = api.get("/api/v1/tokens", ann.token()).each("id");

        assertThat(own).hasSize(2);
        assertThat(ofForeign).hasSize(1).doesNotContainAnyElementsOf(own);
        assertThat(bySignUp).hasSize(1).doesNotContainAnyElementsOf(own);
        for (String other : List.of(ofForeign.get(0), bySignUp.get(0), own.get(0) + "x")) {
            assertThat(api.delete("/api/v1/tokens/" + other, first).status()).isEqualTo(404);
        }
        assertThat(api.get("/api/v1/timelines/home", foreign).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        // The first token may end itself before it comes to the second, which then ends itself.
        for (String id : own) {
            assertThat(api.delete("/api/v1/tokens/" + id, first).status()).isIn(200, 401);
            assertThat(api.delete("/api/v1/tokens/" + id, second).status()).isIn(200, 401, 404);
        }
        assertThat(api.get("/api/v1/timelines/home", first).status()).isEqualTo(401);
        assertThat(api.get("/api/v1/timelines/home", second).status()).isEqualTo(401);
    }

    @Test
    void otherSessionsNeedThePassword() {
        User ann = somebody();
        String token = logIn(app(), ann, ApiServer.PASSWORD).text("/access_token");
        String other = api.get("/api/v1/tokens", ann.token()).each("id").get(0);

        for (String wrong : List.of("", "wrong")) {
            Response list = api.post("/api/v1/tokens/list", token, "current_password", wrong);
            assertThat(list.status()).isEqualTo(422);
            assertThat(list.text("/details/current_password/0/error")).isEqualTo("ERR_INVALID");
            assertThat(end(other, token, wrong).status()).isEqualTo(422);
        }
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        try (ApiServer limited = new ApiServer(redis, "limits.enabled=true", "limits.rates.logins=2")) {
            for (int i = 0; i < 3; i++) {
                Response tried = limited.post("/api/v1/tokens/list", token, "current_password", "guess " + i);
                assertThat(tried.status()).isEqualTo(i < 2 ? 422 : 429);
            }
        }
    }

    @Test
    void allOtherSessionsEndForThePassword() {
        User ann = somebody();
        User bob = somebody();
        String first = logIn(app(), ann, ApiServer.PASSWORD).text("/access_token");
        String second = logIn(app(), ann, ApiServer.PASSWORD).text("/access_token");
        assertThat(api.post("/api/v1/tokens/revoke_others", first, "current_password", "wrong")
                        .status())
                .isEqualTo(422);
        assertThat(api.get("/api/v1/timelines/home", second).status()).isEqualTo(200);

        assertThat(api.post("/api/v1/tokens/revoke_others", first, "current_password", ApiServer.PASSWORD)
                        .status())
                .isEqualTo(200);

        assertThat(api.get("/api/v1/timelines/home", second).status()).isEqualTo(401);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(401);
        assertThat(api.get("/api/v1/timelines/home", first).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", bob.token()).status()).isEqualTo(200);
    }

    @Test
    void aFreeNameOrAddressIsReportedAsAvailable() {
        User ann = somebody();
        String path = "/api/v1/accounts/available?";

        assertThat(api.get(path + "username=" + ann.name().toUpperCase(Locale.ROOT), null)
                        .body())
                .isEqualTo("{\"available\":false,\"username\":false}");
        assertThat(api.get(path + "username=free&email=" + ann.name() + "@example.org", null)
                        .body())
                .isEqualTo("{\"available\":false,\"username\":true,\"email\":false}");
        assertThat(api.get(path + "username=free&email=free@example.org", null).body())
                .isEqualTo("{\"available\":true,\"username\":true,\"email\":true}");
        assertThat(api.get(path + "username=a%20b", null).status()).isEqualTo(422);
        assertThat(api.get(path, null).status()).isEqualTo(400);
    }

    @Test
    void severalAccountsComeInTheOrderOfTheRequest() {
        User ann = somebody();
        User bob = somebody();

        assertThat(api.get("/api/v1/accounts?id[]=" + bob.id() + "&id[]=1&id[]=x&id[]=" + ann.id(), null)
                        .each("id"))
                .containsExactly(bob.id(), ann.id());
    }

    @Test
    void aBodyCannotWriteInternalFields() {
        User ann = somebody();
        Map<String, String> before = hash(ann);
        for (String value : List.of("1", "999999", "active", "x")) {
            StringBuilder body = new StringBuilder("{");
            for (String field : STORED_FIELDS) {
                body.append('"').append(field).append("\":\"").append(value).append("\",");
            }
            String all = body + "\"note\":\"n\"}";
            assertThat(patch(ann, all).status()).isEqualTo(200);
            String post = body + "\"status\":\"s\"}";
            Response posted =
                    api.postJson("/api/v1/statuses", ann.token(), post.replace("\"language\":\"" + value + "\",", ""));
            assertThat(posted.status()).isEqualTo(200);
            String key = Keys.status(Long.parseLong(posted.text("/id")));
            assertThat(posted.text("/account/id")).isEqualTo(ann.id());
            assertThat(flat(key))
                    .containsEntry("text", "s")
                    .doesNotContainKeys("likes", "reposts", "quotes", "gone", "cw");
        }
        Map<String, String> after = hash(ann);
        List.of("rev", "note", "posts", "last").forEach(changed -> {
            before.remove(changed);
            after.remove(changed);
        });
        assertThat(after).isEqualTo(before);
    }

    private static Response patch(User user, String json) {
        return api.send("PATCH", UPDATE, user.token(), "application/json", json);
    }

    private static Response app() {
        return api.post(
                "/api/v1/apps",
                null,
                "client_name",
                "Tester",
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                "read write");
    }

    private static Response logIn(Response app, User user, String password) {
        return api.token(
                app, "grant_type", "password", "username", user.name(), "password", password, "scope", "read write");
    }

    private static Map<String, String> hash(User user) {
        return flat(Keys.user(Long.parseLong(user.id())));
    }

    private static Map<String, String> flat(String key) {
        List<String> flat = redis.askAt(key, "HGETALL", key).items().stream()
                .map(reply -> reply.asString())
                .toList();
        Map<String, String> hash = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            hash.put(flat.get(i), flat.get(i + 1));
        }
        return hash;
    }
}
