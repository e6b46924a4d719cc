package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EditRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    @CanIgnoreReturnValue
    private static Response edit(User user, String id, String... form) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < form.length; i += 2) {
            fields.add(form[i] + "=" + URLEncoder.encode(form[i + 1], StandardCharsets.UTF_8));
        }
        return api.send(
                "PUT",
                "/api/v1/statuses/" + id,
                user.token(),
                "application/x-www-form-urlencoded",
                String.join("&", fields));
    }

    private static Response show(String id) {
        return api.get("/api/v1/statuses/" + id, null);
    }

    private static JsonNode history(String id) {
        return api.get("/api/v1/statuses/" + id + "/history", null).json();
    }

    @Test
    void anEditIsShownAtOnceAndEverywhere() {
        User reader = api.signUp("reader");
        api.follow(reader, ann);
        String id = api.publish(ann, "first #old words");
        String quote = api.post("/api/v1/statuses", bob.token(), "status", "see", "quoted_status_id", id)
                .text("/id");
        String repost =
                api.post("/api/v1/statuses/" + id + "/reblog", bob.token()).text("/id");
        // So that everything is remembered.
        for (String each : List.of(id, quote, repost)) {
            assertThat(show(each).body()).contains("first");
        }

        Response edited = edit(ann, id, "status", "second #new words @bob", "spoiler_text", "hm", "language", "de");

        assertThat(edited.status()).isEqualTo(200);
        assertThat(edited.text("/id")).isEqualTo(id);
        assertThat(edited.text("/content")).contains("second", "/tags/new", "/@bob");
        assertThat(edited.text("/spoiler_text")).isEqualTo("hm");
        assertThat(edited.text("/language")).isEqualTo("de");
        assertThat(edited.json().path("sensitive").asBoolean()).isTrue();
        assertThat(edited.text("/edited_at")).matches("\\d{4}-.*Z").isGreaterThan(edited.text("/created_at"));
        assertThat(edited.json().path("reblogs_count").asInt()).isEqualTo(1);
        assertThat(edited.json().at("/mentions/0/username").asText()).isEqualTo("bob");
        assertThat(show(id).json().path("content")).isEqualTo(edited.json().path("content"));
        assertThat(show(quote).json().at("/quote/quoted_status/content"))
                .isEqualTo(edited.json().path("content"));
        assertThat(show(quote).json().at("/quote/quoted_status/edited_at"))
                .isEqualTo(edited.json().path("edited_at"));
        assertThat(show(repost).json().at("/reblog/content"))
                .isEqualTo(edited.json().path("content"));
        for (String path : List.of(
                "/api/v1/accounts/" + ann.id() + "/statuses",
                "/api/v1/timelines/tag/new",
                "/api/v1/timelines/tag/NEW?local=true")) {
            JsonNode first = api.get(path, null).json().path(0);
            assertThat(first.path("content")).as(path).isEqualTo(edited.json().path("content"));
        }
        assertThat(api.get("/api/v1/timelines/tag/old", null).json()).isEmpty();
        assertThat(api.get("/api/v2/search?q=new&type=hashtags", ann.token())
                        .json()
                        .at("/hashtags/0/name")
                        .asText())
                .isEqualTo("new");
    }

    @Test
    void theHistoryHasEveryVersionTheOldestFirst() {
        Response posted = api.post(
                "/api/v1/statuses", ann.token(), "status", "one @bob #a", "spoiler_text", "hm", "language", "en");
        String id = posted.text("/id");
        Response second = edit(ann, id, "status", "two");
        Response third = edit(ann, id, "status", "three", "sensitive", "true");

        JsonNode history = history(id);
        assertThat(history).hasSize(3);
        List<Response> versions = List.of(posted, second, third);
        for (int i = 0; i < 3; i++) {
            JsonNode version = history.path(i);
            JsonNode then = versions.get(i).json();
            for (String field : List.of("content", "spoiler_text", "sensitive")) {
                assertThat(version.path(field)).as(i + " " + field).isEqualTo(then.path(field));
            }
            assertThat(version.path("created_at")).isEqualTo(then.path(i == 0 ? "created_at" : "edited_at"));
            assertThat(version.at("/account/id").asText()).isEqualTo(ann.id());
        }
        assertThat(second.text("/language")).as("none is said").isEqualTo("en");
        assertThat(second.text("/spoiler_text")).as("said again, or gone").isEmpty();
        assertThat(second.json().path("sensitive").asBoolean()).isFalse();
    }

    @Test
    void theSourceIsThatOfTheNewestVersion() {
        String id = api.publish(ann, "one");
        edit(ann, id, "status", "two <b> @bob", "spoiler_text", "hm");

        JsonNode source =
                api.get("/api/v1/statuses/" + id + "/source", ann.token()).json();

        assertThat(source.path("text").asText()).isEqualTo("two <b> @bob");
        assertThat(source.path("spoiler_text").asText()).isEqualTo("hm");
    }

    @Test
    void anEditThatChangesNothingIsNone() {
        String id = api.publish(ann, "one #x @bob");
        assertThat(edit(ann, id, "status", "one #x @bob")
                        .json()
                        .path("edited_at")
                        .isNull())
                .isTrue();
        Response second = edit(ann, id, "status", "two");
        Response again = edit(ann, id, "status", "two");

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(second.json());
        assertThat(history(id)).hasSize(2);
    }

    @Test
    void anEditChangesNeitherTheVisibilityNorTheReferences() {
        String original = api.publish(bob, "original");
        Response quote = api.post(
                "/api/v1/statuses",
                ann.token(),
                "status",
                "well",
                "quoted_status_id",
                original,
                "visibility",
                "unlisted");
        Response reply = api.post("/api/v1/statuses", ann.token(), "status", "yes", "in_reply_to_id", original);

        Response editedQuote = edit(
                ann,
                quote.text("/id"),
                "status",
                "",
                "visibility",
                "direct",
                "in_reply_to_id",
                original,
                "quoted_status_id",
                "");
        Response editedReply = edit(ann, reply.text("/id"), "status", "no", "quoted_status_id", original);

        assertThat(editedQuote.status()).as("a quote needs no words").isEqualTo(200);
        assertThat(editedQuote.text("/visibility")).isEqualTo("unlisted");
        assertThat(editedQuote.text("/quote/quoted_status/id")).isEqualTo(original);
        assertThat(editedQuote.json().path("in_reply_to_id").isNull()).isTrue();
        assertThat(editedReply.text("/in_reply_to_id")).isEqualTo(original);
        assertThat(editedReply.json().path("quote").isNull()).isTrue();
        assertThat(show(original).json().path("quotes_count").asInt()).isEqualTo(1);
        assertThat(show(original).json().path("replies_count").asInt()).isEqualTo(1);
    }

    @Test
    void commentsCanBeEdited() {
        String subject = api.publish(bob, "subject");
        Response comment = api.post("/api/v1/statuses/" + subject + "/comments", ann.token(), "text", "first");
        assertThat(comment.status()).isEqualTo(200);

        Response edited = edit(ann, comment.text("/id"), "status", "second");

        assertThat(edited.text("/content")).isEqualTo("<p>second</p>");
        assertThat(history(comment.text("/id"))).hasSize(2);
    }

    @Test
    void repostsAndArticlesCannotBeEdited() {
        String id = api.publish(bob, "words");
        String repost =
                api.post("/api/v1/statuses/" + id + "/reblog", ann.token()).text("/id");
        String article = api.post("/api/v1/articles", ann.token(), "title", "Title", "text", "words")
                .text("/id");

        for (String each : List.of(repost, article)) {
            Response refused = edit(ann, each, "status", "other");
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).endsWith(".");
        }
        assertThat(edit(ann, repost, "status", "other").text("/error")).contains("repost");
        assertThat(edit(ann, article, "status", "other").text("/error")).contains("Articles");
    }

    @Test
    void anEditOfAnotherAuthorsStatusAnswersNotFound() {
        String id = api.publish(ann, "mine");
        String hidden = api.post("/api/v1/statuses", ann.token(), "status", "x", "visibility", "private")
                .text("/id");
        String gone = api.publish(bob, "gone");
        assertThat(api.delete("/api/v1/statuses/" + gone, bob.token()).status()).isEqualTo(200);

        for (String each : List.of(id, hidden, gone, "1", "x")) {
            assertThat(edit(bob, each, "status", "other").status()).as(each).isEqualTo(404);
        }
        edit(ann, hidden, "status", "y");
        assertThat(api.get("/api/v1/statuses/" + hidden + "/history", null).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + hidden + "/history", ann.token())
                        .json())
                .hasSize(2);
        assertThat(show(id).text("/content")).isEqualTo("<p>mine</p>");
    }

    @ParameterizedTest
    @CsvSource({
        "'status=',can't be blank",
        "'',can't be blank",
        "status=%20%E2%80%8B,can't be blank",
        "status=a&media_ids[]=1,media_ids",
        "status=a&poll[options][]=1,The poll",
    })
    void anEditIsRefusedIfTheTextCouldNotBePosted(String form, String words) {
        String id = api.publish(ann, "good");

        Response refused =
                api.send("PUT", "/api/v1/statuses/" + id, ann.token(), "application/x-www-form-urlencoded", form);

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains(words);
        assertThat(show(id).text("/content")).isEqualTo("<p>good</p>");
    }

    @Test
    void theLengthIsCountedAsInAPost() {
        String id = api.publish(ann, "good");
        String most = "https://example.org/" + "x".repeat(300) + " " + "y".repeat(500 - 24);

        assertThat(edit(ann, id, "status", most).status()).isEqualTo(200);
        assertThat(edit(ann, id, "status", most + "y").status()).isEqualTo(422);
        assertThat(edit(ann, id, "status", most, "spoiler_text", "z").status()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"status\":\"json\",\"sensitive\":true,\"media_attributes\":[]}"})
    void jsonIsTakenToo(String body) {
        String id = api.publish(ann, "good");

        Response edited = api.send("PUT", "/api/v1/statuses/" + id, ann.token(), "application/json", body);

        assertThat(edited.text("/content")).isEqualTo("<p>json</p>");
        assertThat(edited.json().path("sensitive").asBoolean()).isTrue();
    }

    @Test
    void anEditReachesTheEventLog() {
        String id = api.publish(ann, "for the stream");
        edit(ann, id, "status", "for the stream again");

        TestRedis.awaitUntil("the event is logged", () -> logged().contains("|" + id + "|public|"));
        assertThat(logged()).contains("for the stream again");
    }

    private static String logged() {
        return redis.askAt(Keys.BUS_BATCHES, "HVALS", Keys.BUS_BATCHES).items().stream()
                .map(Reply::asString)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aDeletedStatusHasNoHistory() {
        String id = api.publish(ann, "one");
        edit(ann, id, "status", "two");

        JsonNode deleted = api.delete("/api/v1/statuses/" + id, ann.token()).json();

        assertThat(deleted.path("text").asText()).isEqualTo("two");
        assertThat(api.get("/api/v1/statuses/" + id + "/history", ann.token()).status())
                .isEqualTo(404);
        assertThat(redis.keys()).doesNotContain(Keys.edits(Long.parseLong(id)));
    }
}
