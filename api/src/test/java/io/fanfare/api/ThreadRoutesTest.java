package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;
    private static User cat;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
        cat = api.signUp("cat");
        api.follow(cat, ann);
    }

    @Test
    void aCommentStandsUnderItsStatusOnly() {
        User dan = api.signUp("dan");
        String status = api.publish(ann, "talk to me");
        Response comment = comment(dan, status, "hello");

        assertThat(comment.status()).isEqualTo(200);
        assertThat(comment.text("/content")).isEqualTo("<p>hello</p>");
        assertThat(comment.text("/in_reply_to_id")).isEqualTo(status);
        assertThat(comment.json().at("/account/statuses_count").asInt()).isZero();
        assertThat(comments(status)).containsExactly(comment.text("/id"));
        assertThat(repliesCount(status)).isEqualTo(1);
        assertThat(api.get("/api/v1/accounts/" + dan.id() + "/statuses", dan.token())
                        .each("id"))
                .isEmpty();
        assertThat(commentsBy(dan, null)).containsExactly(comment.text("/id"));
        assertThat(api.get("/api/v1/timelines/home", dan.token()).each("id")).isEmpty();
        assertThat(api.get("/api/v1/statuses/" + comment.text("/id"), null).status())
                .isEqualTo(200);
    }

    @Test
    void aCommentIsListedByItsAuthorUntilItIsDeletedWhateverItStoodUnder() {
        User eve = api.signUp("eve_comments");
        String status = api.publish(ann, "soon gone");
        String first = comment(eve, status, "one").text("/id");
        String second = comment(eve, status, "two").text("/id");
        ok(api.delete("/api/v1/statuses/" + status, ann.token()));

        assertThat(commentsBy(eve, bob)).containsExactly(second, first);
        Response page = api.get("/api/v1/accounts/" + eve.id() + "/comments?limit=1", null);
        assertThat(page.each("id")).containsExactly(second);
        assertThat(api.get(page.link("next").orElseThrow().toString(), null).each("id"))
                .containsExactly(first);
        ok(api.delete("/api/v1/statuses/" + second, eve.token()));
        assertThat(commentsBy(eve, eve)).containsExactly(first);
        assertThat(api.get("/api/v1/accounts/" + eve.id() + "/statuses", null).each("id"))
                .isEmpty();
    }

    @Test
    void aReplyIsAPostAndACommentAtOnce() {
        String status = api.publish(ann, "reply to me");
        String reply = api.post("/api/v1/statuses", bob.token(), "status", "yes?", "in_reply_to_id", status)
                .text("/id");

        assertThat(comments(status)).containsExactly(reply);
        assertThat(repliesCount(status)).isEqualTo(1);
        assertThat(commentsBy(bob, null)).doesNotContain(reply);
        assertThat(api.get("/api/v1/accounts/" + bob.id() + "/statuses", null).each("id"))
                .contains(reply);
    }

    @Test
    void aCommentOnACommentIsListedWithBoth() {
        String status = api.publish(ann, "root");
        String first = comment(bob, status, "first").text("/id");
        Response byParent =
                api.post("/api/v1/statuses/" + status + "/comments", cat.token(), "text", "second", "parent_id", first);
        Response byPath = comment(cat, byParent.text("/id"), "third");

        assertThat(byParent.text("/in_reply_to_id")).isEqualTo(first);
        assertThat(comments(status)).containsExactly(byPath.text("/id"), byParent.text("/id"), first);
        assertThat(comments(first)).containsExactly(byParent.text("/id"));
        assertThat(repliesCount(status)).isEqualTo(3);
        assertThat(repliesCount(first)).isEqualTo(1);

        assertThat(api.delete("/api/v1/statuses/" + byParent.text("/id"), cat.token())
                        .status())
                .isEqualTo(200);
        assertThat(comments(status)).containsExactly(byPath.text("/id"), first);
        assertThat(repliesCount(status)).isEqualTo(2);
        assertThat(repliesCount(first)).isZero();
    }

    @Test
    void aCommentOnAReplyIsListedWithBothUnlessTheReplyIsForFollowersOnly() {
        String status = api.publish(ann, "root");
        for (String visibility : List.of("public", "private")) {
            String reply = api.post(
                            "/api/v1/statuses",
                            bob.token(),
                            "status",
                            "a reply",
                            "in_reply_to_id",
                            status,
                            "visibility",
                            visibility)
                    .text("/id");
            long before = repliesCount(status);
            Response comment = parented(status, reply);

            assertThat(comment.text("/in_reply_to_id")).isEqualTo(reply);
            assertThat(comment.text("/visibility")).isEqualTo(visibility);
            boolean withBoth = visibility.equals("public");
            assertThat(comments(status).contains(comment.text("/id"))).isEqualTo(withBoth);
            assertThat(repliesCount(status)).isEqualTo(before + (withBoth ? 1 : 0));
        }
    }

    @Test
    void aParentMustStandUnderTheStatus() {
        String status = api.publish(ann, "here");
        String elsewhere = comment(bob, api.publish(ann, "there"), "not here").text("/id");

        assertThat(parented(status, elsewhere).status()).isEqualTo(422);
        assertThat(parented(status, "4711").status()).isEqualTo(404);
        assertThat(parented(status, status).text("/in_reply_to_id")).isEqualTo(status);
        assertThat(repliesCount(status)).isEqualTo(1);
    }

    private static Response parented(String status, String parent) {
        return api.post("/api/v1/statuses/" + status + "/comments", bob.token(), "text", "x", "parent_id", parent);
    }

    @Test
    void commentsAreWalkedNewestFirst() {
        String status = api.publish(ann, "many words");
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.add(0, comment(bob, status, "comment " + i).text("/id"));
        }
        ok(api.delete("/api/v1/statuses/" + all.remove(3), bob.token()));

        List<String> walked = new ArrayList<>();
        Response page = api.get("/api/v1/statuses/" + status + "/comments?limit=2", null);
        walked.addAll(page.each("id"));
        for (Optional<URI> next = page.link("next"); next.isPresent(); next = page.link("next")) {
            page = api.get(next.get().toString(), null);
            walked.addAll(page.each("id"));
        }
        assertThat(walked).isEqualTo(all);
    }

    @Test
    void aCommentOnARepostGoesToTheOriginal() {
        String status = api.publish(ann, "passed on");
        String repost =
                api.post("/api/v1/statuses/" + status + "/reblog", bob.token()).text("/id");
        String comment = comment(cat, repost, "nice").text("/id");

        assertThat(comments(status)).containsExactly(comment);
        assertThat(comments(repost)).containsExactly(comment);
        assertThat(repliesCount(status)).isEqualTo(1);
    }

    @Test
    void aRepeatedRequestCommentsAndRepostsOnce() {
        String status = api.publish(ann, "say it once");
        Response first = commentOnce(status, "k-1");
        Response second = commentOnce(status, "k-1");

        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(repliesCount(status)).isEqualTo(1);
        Response quotes = api.get("/api/v1/statuses/" + status + "/quotes", null);
        assertThat(quotes.json()).hasSize(1);
        assertThat(quotes.text("/0/account/username")).isEqualTo("bob");
        assertThat(quotes.text("/0/content")).contains("well said");
        assertThat(api.get("/api/v1/accounts/" + bob.id() + "/statuses", null).each("id"))
                .contains(quotes.text("/0/id"))
                .doesNotContain(first.text("/id"));
    }

    @Test
    void aRepeatedRequestIsAnsweredWithItsCommentWhenTheStatusIsGone() {
        String status = api.publish(ann, "gone in a minute");
        Response first = commentOnce(status, "k-2");
        assertThat(api.delete("/api/v1/statuses/" + status, ann.token()).status())
                .isEqualTo(200);
        Response second = commentOnce(status, "k-2");

        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).as(second.body()).isEqualTo(200);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(commentOnce(api.publish(ann, "another"), "k-2").status()).isEqualTo(422);
    }

    @Test
    void aRepeatedRequestMakesTheRepostThatItsCommentWasLeftWithout() {
        String status = api.publish(ann, "say it twice");
        Response first = commentOnce(status, "k-3");
        String quote = api.get("/api/v1/statuses/" + status + "/quotes", null).text("/0/id");
        assertThat(api.delete("/api/v1/statuses/" + quote, bob.token()).status())
                .isEqualTo(200);
        forget(quote);
        Response second = commentOnce(status, "k-3");

        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(api.get("/api/v1/statuses/" + status + "/quotes", null).each("id"))
                .hasSize(1)
                .doesNotContain(quote);
    }

    /** As if it had never been published. */
    private static void forget(String status) {
        redis.keys().stream()
                .filter(key -> key.startsWith("idem:"))
                .filter(key -> redis.askAt(key, "GET", key).asString().startsWith(status + " "))
                .forEach(key -> redis.askAt(key, "DEL", key));
    }

    private static Response commentOnce(String status, String key) {
        return api.send(
                "POST",
                "/api/v1/statuses/" + status + "/comments",
                bob.token(),
                "application/json",
                "{\"status\":\"well said\",\"also_repost\":true}",
                "Idempotency-Key",
                key);
    }

    @Test
    void commentsOnAPrivateStatusAreForThoseWhoSeeIt() {
        String secret = api.post("/api/v1/statuses", ann.token(), "status", "psst", "visibility", "private")
                .text("/id");
        Response comment = api.post(
                "/api/v1/statuses/" + secret + "/comments", cat.token(), "text", "sh!", "visibility", "public");
        String id = comment.text("/id");

        assertThat(comment.text("/visibility")).isEqualTo("private");
        assertThat(commentsBy(cat, ann)).contains(id);
        assertThat(commentsBy(cat, bob)).doesNotContain(id);
        assertThat(commentsBy(cat, null)).doesNotContain(id);
        assertThat(api.get("/api/v1/statuses/" + secret + "/comments", ann.token())
                        .each("id"))
                .as("although ann does not follow cat")
                .containsExactly(id);
        assertThat(api.get("/api/v1/statuses/" + id, ann.token()).status()).isEqualTo(200);
        User eve = api.signUp("eve");
        api.follow(eve, cat);
        assertThat(api.get("/api/v1/statuses/" + id, eve.token()).status())
                .as("who follows cat only")
                .isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + secret + "/comments", bob.token())
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + secret + "/context", bob.token())
                        .status())
                .isEqualTo(404);
        assertThat(comment(bob, secret, "?").status()).isEqualTo(404);
        assertThat(api.post(
                                "/api/v1/statuses/" + secret + "/comments",
                                cat.token(),
                                "text",
                                "hear this",
                                "also_repost",
                                "true")
                        .status())
                .isEqualTo(422);
        assertThat(repliesCount(secret)).as("nothing was published").isEqualTo(1);
    }

    @Test
    void commentsOfWhoIsBlockedAreLeftOut() {
        String status = api.publish(ann, "quarrel");
        String comment = comment(cat, status, "nonsense").text("/id");
        long viewer = Long.parseLong(bob.id());
        redis.askAt(Keys.blocks(viewer), "ZADD", Keys.blocks(viewer), "1", cat.id());
        try {
            assertThat(api.get("/api/v1/statuses/" + status + "/comments", bob.token())
                            .each("id"))
                    .isEmpty();
            assertThat(api.get("/api/v1/statuses/" + status + "/context", bob.token())
                            .json()
                            .path("descendants"))
                    .isEmpty();
            assertThat(comments(status)).containsExactly(comment);
        } finally {
            redis.askAt(Keys.blocks(viewer), "DEL", Keys.blocks(viewer));
        }
    }

    @Test
    void manyHiddenCommentsMakeNoPageEmptyOrShort() {
        User dan = api.signUp("daniel");
        User troll = api.signUp("troll");
        ok(api.post("/api/v1/accounts/" + troll.id() + "/mute", dan.token()));
        String status = api.publish(ann, "a lively talk");
        List<String> shown = new ArrayList<>();
        shown.add(0, comment(bob, status, "first").text("/id"));
        shown.add(0, comment(cat, status, "second").text("/id"));
        for (int i = 0; i < 22; i++) {
            ok(comment(troll, status, "so what " + i));
        }
        String list = "/api/v1/statuses/" + status + "/comments?limit=";

        Response newest = api.get(list + "20", dan.token());
        assertThat(newest.each("id")).isEqualTo(shown);
        assertThat(newest.link("next")).isEmpty();

        for (int i = 0; i < 3; i++) {
            shown.add(0, comment(cat, status, "anyway " + i).text("/id"));
        }
        assertThat(api.get(list + "3&min_id=" + shown.get(3), dan.token()).each("id"))
                .isEqualTo(shown.subList(0, 3));
        Response middle = api.get(list + "2&max_id=" + shown.get(2), dan.token());
        assertThat(middle.each("id")).isEqualTo(shown.subList(3, 5));
        assertThat(middle.link("next")).isEmpty();
    }

    @Test
    void onlyItsAuthorDeletesAComment() {
        String status = api.publish(ann, "mine");
        String comment = comment(bob, status, "and mine").text("/id");

        assertThat(api.delete("/api/v1/statuses/" + comment, ann.token()).status())
                .isEqualTo(404);
        Response deleted = api.delete("/api/v1/statuses/" + comment, bob.token());
        assertThat(deleted.text("/text")).isEqualTo("and mine");
        assertThat(comments(status)).isEmpty();
        assertThat(repliesCount(status)).isZero();
    }

    @Test
    void theContextHasWhatStandsAboveAndBelow() {
        String root = api.publish(ann, "root");
        String reply = api.post("/api/v1/statuses", bob.token(), "status", "reply", "in_reply_to_id", root)
                .text("/id");
        String other = comment(cat, root, "other").text("/id");
        String deep = comment(cat, reply, "deep").text("/id");
        String deeper = comment(bob, deep, "deeper").text("/id");
        ok(api.post("/api/v1/statuses", bob.token(), "status", "x", "in_reply_to_id", root, "visibility", "private"));

        assertThat(ids(context(root), "ancestors")).isEmpty();
        assertThat(ids(context(root), "descendants")).containsExactly(reply, deep, deeper, other);
        assertThat(ids(context(deeper), "ancestors")).containsExactly(root, reply, deep);
        assertThat(ids(context(deeper), "descendants")).isEmpty();
        assertThat(ids(context(reply), "ancestors")).containsExactly(root);
        assertThat(ids(context(reply), "descendants")).containsExactly(deep, deeper);

        ok(api.delete("/api/v1/statuses/" + reply, bob.token()));
        assertThat(ids(context(root), "descendants")).containsExactly(other);
        assertThat(ids(context(deeper), "ancestors")).containsExactly(deep);
    }

    /** Most apps show them in the order in which they come. */
    @Test
    void answersStandBehindWhatTheyAnswerAndThoseToOneselfComeFirst() {
        String root = api.publish(ann, "one of three");
        String aside = comment(bob, root, "aside").text("/id");
        String two = answer(ann, "two", root);
        String question = comment(cat, two, "question").text("/id");
        String three = answer(ann, "three", two);
        String toTheAside = comment(cat, aside, "indeed").text("/id");

        assertThat(ids(context(root), "descendants")).containsExactly(two, three, question, aside, toTheAside);
        ok(api.delete("/api/v1/statuses/" + aside, bob.token()));
        assertThat(ids(context(root), "descendants"))
                .as("whose parent is gone, a comment on the root all the same")
                .containsExactly(two, three, question, toTheAside);
    }

    private static String answer(User user, String text, String to) {
        return api.post("/api/v1/statuses", user.token(), "status", text, "in_reply_to_id", to)
                .text("/id");
    }

    private static JsonNode context(String status) {
        return api.get("/api/v1/statuses/" + status + "/context", null).json();
    }

    private static List<String> ids(JsonNode context, String list) {
        List<String> ids = new ArrayList<>();
        context.path(list).forEach(status -> ids.add(status.path("id").asText()));
        return ids;
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1, ERR_BLANK",
        "' \u3000', 1, ERR_BLANK",
        "x, 501, ERR_TOO_LONG",
    })
    void aCommentNeedsWords(String text, int times, String error) {
        String status = api.publish(ann, "say something");
        Response refused = comment(bob, status, text.repeat(times));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/text/0/error")).isEqualTo(error);
        assertThat(repliesCount(status)).isZero();
    }

    @Test
    void aWarningWithoutWordsIsTheComment() {
        String status = api.publish(ann, "say something");
        Response comment =
                api.post("/api/v1/statuses/" + status + "/comments", bob.token(), "text", "", "spoiler_text", "eggs");

        assertThat(comment.status()).isEqualTo(200);
        assertThat(comment.text("/content")).isEqualTo("<p>eggs</p>");
        assertThat(comment.text("/spoiler_text")).isEmpty();
    }

    @Test
    void anAddressInACommentOrAQuoteCountsAsItDoesInAStatus() {
        String status = api.publish(ann, "say something");
        String words = "x".repeat(476) + " https://fanfare.example/a/path/that/is/longer";

        assertThat(comment(bob, status, words).status()).isEqualTo(200);
        assertThat(comment(bob, status, words + "/").status()).isEqualTo(200);
        assertThat(comment(bob, status, "x" + words).status()).isEqualTo(422);
        String repost = "/api/v1/statuses/" + status + "/reblog";
        assertThat(api.post(repost, bob.token(), "comment", words).status()).isEqualTo(200);
        assertThat(api.post(repost, bob.token(), "comment", "x" + words).status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/statuses/4711/comments",
        "GET, /api/v1/accounts/4711/comments",
        "GET, /api/v1/statuses/no-id/comments",
        "POST, /api/v1/statuses/4711/comments?text=x",
        "GET, /api/v1/statuses/4711/context"
    })
    void anUnknownStatusAnswersNotFound(String method, String path) {
        assertThat(api.send(method, path, bob.token(), null, null).status()).isEqualTo(404);
    }

    @Test
    void nobodyCommentsWithoutAToken() {
        String status = api.publish(ann, "anonymous?");

        assertThat(api.post("/api/v1/statuses/" + status + "/comments", null, "text", "x")
                        .status())
                .isEqualTo(401);
    }

    private static Response comment(User user, String status, String text) {
        return api.post("/api/v1/statuses/" + status + "/comments", user.token(), "text", text);
    }

    private static List<String> comments(String status) {
        return api.get("/api/v1/statuses/" + status + "/comments", null).each("id");
    }

    /** One key lists both. */
    @Test
    void directMessagesAreNotAmongTheCommentsOfTheirAuthor() {
        String message = api.post("/api/v1/statuses", bob.token(), "status", "psst", "visibility", "direct")
                .text("/id");
        assertThat(message).isNotEmpty();
        assertThat(commentsBy(bob, bob)).doesNotContain(message);
    }

    /** @param viewer null = anonymous */
    private static List<String> commentsBy(User author, User viewer) {
        return api.get("/api/v1/accounts/" + author.id() + "/comments", viewer == null ? null : viewer.token())
                .each("id");
    }

    private static int repliesCount(String status) {
        return api.get("/api/v1/statuses/" + status, ann.token())
                .json()
                .path("replies_count")
                .asInt();
    }

    private static void ok(Response answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
}
