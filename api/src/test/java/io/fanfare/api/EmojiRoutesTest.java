package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Emojis that come and go while a server runs, in everything that it shows. */
@ParameterizedClass
@KindsOfRedis
class EmojiRoutesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Parameter
    TestRedis.Kind kind;

    private TestRedis redis;
    private ApiServer api;
    private User ann;

    @BeforeEach
    void start() {
        redis = kind.redis();
        redis.flush();
        api = new ApiServer(redis);
        ann = api.signUp("ann");
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private void put(String version, String... fields) {
        String key = Keys.emojis(0);
        redis.askAt(key, "DEL", key);
        for (int i = 0; i < fields.length; i += 2) {
            redis.askAt(key, "HSET", key, fields[i], fields[i + 1]);
        }
        redis.askAt(key, "HSET", key, "-", version);
    }

    /** While the server runs, which looks for changes every few seconds. */
    private void set(String version, String... fields) {
        put(version, fields);
        await().atMost(PATIENCE).until(() -> list().json().size() == fields.length / 2);
    }

    private Response list() {
        return api.get("/api/v1/custom_emojis", null);
    }

    /** Before the server starts, which has them from its first answer on. */
    private void startWith(String version, String... fields) {
        put(version, fields);
        api.close();
        api = new ApiServer(redis);
    }

    @Test
    void theListHasAllInTheOrderOfTheirShortcodes() {
        assertThat(list().body()).isEqualTo("[]");

        startWith("1", "zoo", "a.png", "ab", "b.png Fun things");

        assertThat(list().text("/0/shortcode")).isEqualTo("ab");
        assertThat(list().text("/0/category")).isEqualTo("Fun things");
        assertThat(list().text("/0/url")).isEqualTo(api.url() + "/media/b.png");
        assertThat(list().text("/0/static_url")).isEqualTo(api.url() + "/media/b.png");
        assertThat(list().json().at("/0/visible_in_picker").asBoolean()).isTrue();
        assertThat(list().json().get(1).has("category")).isFalse();
    }

    @Test
    void aProcessKnowsTheEmojisFromItsFirstAnswerOn() {
        put("1", "party", "a.png");

        for (int i = 0; i < 5; i++) {
            try (ApiServer later = new ApiServer(redis)) {
                assertThat(later.get("/api/v1/custom_emojis", null).json()).hasSize(1);
            }
        }
    }

    @Test
    void entitiesListTheCurrentEmojisOfTheirTexts() {
        String article = api.post(
                        "/api/v1/articles", ann.token(), "title", "News", "text", "read :zoo:", "groups[]", "java")
                .text("/id");
        String status = statusWithShortcodes();
        nameWithShortcodes();
        rankedWith(article, "[]", "[]");
        Response before = api.get("/api/v1/statuses/" + status, ann.token());
        assertThat(before.json().at("/emojis")).as("without emojis").isEmpty();

        set("1", "party", "a.png", "ab", "b.png", "zoo", "c.png", "other", "d.png");
        assertAllNamed(status);
        assertThat(api.get("/api/v1/articles/" + article, null).json().at("/emojis"))
                .as("of the article")
                .hasSize(1);
        rankedWith(article, "[c.png]", "[c.png, b.png, a.png]");

        set("2", "zoo", "e.png");
        Response now = api.get("/api/v1/statuses/" + status, ann.token());
        assertThat(now.json().at("/emojis").findValuesAsText("shortcode"))
                .as("two emojis are removed")
                .containsExactly("zoo");
        assertThat(now.text("/emojis/0/url")).as("another picture").isEqualTo(api.url() + "/media/e.png");
        rankedWith(article, "[e.png]", "[e.png]");

        set("3");
        rankedWith(article, "[]", "[]");
    }

    private String statusWithShortcodes() {
        return api.post(
                        "/api/v1/statuses",
                        ann.token(),
                        "status",
                        "hello :party: x:ab:",
                        "spoiler_text",
                        "careful :ab:",
                        "poll[options][]",
                        "a :zoo:",
                        "poll[options][]",
                        "b",
                        "poll[expires_in]",
                        "600")
                .text("/id");
    }

    private void nameWithShortcodes() {
        assertThat(api.send(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                ann.token(),
                                "application/x-www-form-urlencoded",
                                "display_name=Ann+:ab:&note=:zoo:&fields_attributes[0][name]=:party:"
                                        + "&fields_attributes[0][value]=x")
                        .status())
                .isEqualTo(200);
    }

    /** The status, its poll and its author, wherever they are shown. */
    private void assertAllNamed(String status) {
        Response shown = api.get("/api/v1/statuses/" + status, ann.token());
        assertThat(shown.json().at("/emojis").findValuesAsText("shortcode"))
                .as("of the status")
                .containsExactly("ab", "party", "zoo");
        assertThat(shown.json().at("/poll/emojis").findValuesAsText("shortcode"))
                .as("of its poll")
                .containsExactly("zoo");
        assertThat(shown.json().at("/account/emojis").findValuesAsText("shortcode"))
                .as("of its author")
                .containsExactly("zoo", "ab", "party");
        assertThat(shown.text("/content")).as("the text keeps its shortcodes").isEqualTo("<p>hello :party: x:ab:</p>");
        assertThat(shown.text("/emojis/0/url")).isEqualTo(api.url() + "/media/b.png");
        assertThat(api.get("/api/v1/polls/" + shown.text("/poll/id"), ann.token())
                        .json()
                        .at("/emojis"))
                .as("of the poll alone")
                .hasSize(1);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).json().at("/0/emojis"))
                .as("in the home")
                .hasSize(3);
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token())
                        .json()
                        .at("/emojis"))
                .as("of the account alone")
                .hasSize(3);
    }

    /** Rankings are kept as they were rendered, for who is signed in and who is not. */
    private void rankedWith(String article, String own, String ofAuthor) {
        for (String path : List.of("/api/v1/articles", "/api/v1/groups/java/articles")) {
            for (String token : Arrays.asList(null, ann.token(), null)) {
                Response ranked = api.get(path, token);
                assertThat(ranked.text("/0/id")).isEqualTo(article);
                assertThat(files(ranked, "/0/emojis")).hasToString(own);
                assertThat(files(ranked, "/0/account/emojis")).hasToString(ofAuthor);
            }
        }
    }

    private List<String> files(Response answer, String emojis) {
        return answer.json().at(emojis).findValuesAsText("url").stream()
                .map(url -> url.substring((api.url() + "/media/").length()))
                .toList();
    }

    @Test
    void theHistoryOfAStatusNamesTheEmojisOfEachVersion() {
        startWith("1", "party", "a.png", "ab", "b.png");
        String status = api.post("/api/v1/statuses", ann.token(), "status", "hello :party:")
                .text("/id");
        assertThat(api.send(
                                "PUT",
                                "/api/v1/statuses/" + status,
                                ann.token(),
                                "application/x-www-form-urlencoded",
                                "status=hello+:ab:")
                        .text("/emojis/0/shortcode"))
                .isEqualTo("ab");

        Response history = api.get("/api/v1/statuses/" + status + "/history", ann.token());

        assertThat(history.json().at("/0/emojis").findValuesAsText("shortcode")).containsExactly("party");
        assertThat(history.json().at("/1/emojis").findValuesAsText("shortcode")).containsExactly("ab");
    }
}
