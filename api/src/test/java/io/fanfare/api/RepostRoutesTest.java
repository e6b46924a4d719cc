package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepostRoutesTest extends OnEveryRedis {
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
    void aRepostIsAStatusThatShowsItsOriginal() {
        String original = api.publish(ann, "pass me on");
        Response repost = reblog(bob, original);

        assertThat(repost.status()).isEqualTo(200);
        assertThat(repost.text("/id")).isNotEqualTo(original);
        assertThat(repost.text("/account/username")).isEqualTo("bob");
        assertThat(repost.text("/content")).isEmpty();
        assertThat(repost.text("/reblog/id")).isEqualTo(original);
        assertThat(repost.text("/reblog/account/username")).isEqualTo("ann");
        assertThat(repost.json().at("/reblog/reblogs_count").asInt()).isEqualTo(1);
        assertThat(repost.json().at("/reblog/reblogged").asBoolean()).isTrue();
        assertThat(count(original, "reblogs_count")).isEqualTo(1);
        assertThat(profile(bob, "")).contains(repost.text("/id"));
    }

    @Test
    void aSecondRepostAnswersTheFirst() {
        String original = api.publish(ann, "once only");
        Response first = reblog(bob, original);
        Response second = reblog(bob, original);

        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(second.json().at("/reblog/reblogs_count").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"comment\":\"hear, hear\"}"})
    void aRepeatedRequestIsAnsweredWithItsRepostWhenTheOriginalIsGone(String body) {
        String original = api.publish(ann, "passed on in time");
        Response first = reblogOnce(original, body, "k" + body.length());
        assertThat(api.delete("/api/v1/statuses/" + original, ann.token()).status())
                .isEqualTo(200);
        Response second = reblogOnce(original, body, "k" + body.length());

        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).as(second.body()).isEqualTo(200);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        String another = api.publish(ann, "another");
        assertThat(reblogOnce(another, body, "k" + body.length()).status()).isEqualTo(422);
    }

    private static Response reblogOnce(String original, String body, String key) {
        String path = "/api/v1/statuses/" + original + "/reblog";
        return api.send("POST", path, bob.token(), "application/json", body, "Idempotency-Key", key);
    }

    @Test
    void repostingARepostPassesTheOriginalOn() {
        String original = api.publish(ann, "from hand to hand");
        String first = reblog(bob, original).text("/id");
        Response second = reblog(cat, first);

        assertThat(second.text("/reblog/id")).isEqualTo(original);
        assertThat(count(original, "reblogs_count")).isEqualTo(2);
        assertThat(api.get("/api/v1/statuses/" + first + "/reblogged_by", null).each("username"))
                .containsExactly("cat", "bob");
    }

    @Test
    void aRepostIsUndoneByTheIdOfEitherAndUndoingTwiceDoesNothing() {
        String original = api.publish(ann, "on second thoughts");
        String first = reblog(bob, original).text("/id");
        assertUndone(unreblog(bob, original), original);
        assertUndone(unreblog(bob, original), original);
        assertThat(api.get("/api/v1/statuses/" + first, bob.token()).status()).isEqualTo(404);

        String second = reblog(bob, original).text("/id");
        assertThat(second).isNotEqualTo(first);
        assertUndone(unreblog(bob, second), original);
        assertThat(count(original, "reblogs_count")).isZero();
        assertThat(profile(bob, "")).doesNotContain(first, second);
    }

    private static void assertUndone(Response answer, String original) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/id")).isEqualTo(original);
        assertThat(answer.json().at("/reblogged").asBoolean()).isFalse();
        assertThat(answer.json().at("/reblogs_count").asInt()).isZero();
    }

    @Test
    void deletingARepostUndoesIt() {
        String original = api.publish(ann, "deleted later");
        String repost = reblog(bob, original).text("/id");

        assertThat(api.delete("/api/v1/statuses/" + repost, bob.token()).status())
                .isEqualTo(200);
        assertThat(count(original, "reblogs_count")).isZero();
        assertThat(api.get("/api/v1/statuses/" + original, bob.token())
                        .json()
                        .at("/reblogged")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aRepostWithACommentIsAQuoteAndAnEmptyCommentIsNone() {
        String original = api.publish(ann, "quotable");
        Response quote = api.post("/api/v1/statuses/" + original + "/reblog", bob.token(), "comment", "hear, hear");
        Response plain = api.post("/api/v1/statuses/" + original + "/reblog", bob.token(), "comment", " ");

        assertThat(quote.json().path("reblog").isNull()).isTrue();
        assertThat(quote.text("/quote/quoted_status/id")).isEqualTo(original);
        assertThat(quote.text("/content")).contains("hear, hear");
        assertThat(plain.text("/reblog/id")).isEqualTo(original);
        assertThat(count(original, "quotes_count")).isEqualTo(1);
        assertThat(count(original, "reblogs_count")).isEqualTo(1);
        assertThat(count(quote.text("/id"), "reblogs_count"))
                .as("counters of its own")
                .isZero();
    }

    @Test
    void aPostMayQuoteAndIsListedWithTheQuotesAsLongAsItLives() {
        String original = api.publish(ann, "quoted by a post");
        String repost = reblog(cat, original).text("/id");
        String first = quote(bob, original, "public").text("/id");
        String second = quote(bob, repost, "public").text("/id");
        ok(quote(bob, original, "private"));

        String quotes = "/api/v1/statuses/" + original + "/quotes";
        assertThat(api.get(quotes, cat.token()).each("id")).containsExactly(second, first);
        assertThat(count(original, "quotes_count")).isEqualTo(3);
        assertThat(walk(quotes + "?limit=1", null)).containsExactly(second, first);

        Response deleted = api.delete("/api/v1/statuses/" + first, bob.token());
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(api.get(quotes, null).each("id")).containsExactly(second);
        assertThat(count(original, "quotes_count")).isEqualTo(2);
    }

    @Test
    void aRepostHasNoWiderVisibilityThanItsOriginal() {
        String unlisted = api.post("/api/v1/statuses", ann.token(), "status", "quiet", "visibility", "unlisted")
                .text("/id");

        assertThat(reblog(bob, unlisted).text("/visibility")).isEqualTo("unlisted");
        assertThat(quote(bob, unlisted, "public").text("/visibility")).isEqualTo("unlisted");
        assertThat(quote(bob, unlisted, "private").text("/visibility")).isEqualTo("private");
    }

    @Test
    void onesOwnPrivateStatusIsRepostedToTheSameFollowers() {
        String secret = api.post("/api/v1/statuses", ann.token(), "status", "psst", "visibility", "private")
                .text("/id");
        Response repost = api.post("/api/v1/statuses/" + secret + "/reblog", ann.token(), "visibility", "public");
        ok(repost);

        assertThat(repost.text("/visibility")).isEqualTo("private");
        assertThat(repost.text("/reblog/id")).isEqualTo(secret);
        String path = "/api/v1/statuses/" + repost.text("/id");
        assertThat(api.get(path, cat.token()).text("/reblog/id"))
                .as("a follower")
                .isEqualTo(secret);
        assertThat(api.get(path, cat.token()).text("/reblog/content")).isEqualTo("<p>psst</p>");
        assertThat(api.get(path, bob.token()).status()).as("anybody else").isEqualTo(404);
        assertThat(api.get(path, null).status()).isEqualTo(404);
        assertUndone(unreblog(ann, secret), secret);
    }

    @Test
    void aPrivateStatusIsNotPassedOnByOthers() {
        String secret = api.post("/api/v1/statuses", ann.token(), "status", "psst", "visibility", "private")
                .text("/id");
        assertThat(quote(cat, secret, "private").status()).isEqualTo(422);
        assertThat(api.post("/api/v1/statuses/" + secret + "/reblog", cat.token(), "comment", "x")
                        .status())
                .isEqualTo(422);
        assertThat(reblog(cat, secret).status()).isEqualTo(422);
        assertThat(reblog(bob, secret).status()).as("invisible").isEqualTo(404);
        assertThat(quote(bob, secret, "public").status()).as("invisible").isEqualTo(404);
        for (String list : List.of("reblogged_by", "quotes")) {
            assertThat(api.get("/api/v1/statuses/" + secret + "/" + list, bob.token())
                            .status())
                    .as(list)
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/statuses/4711/reblog",
        "POST, /api/v1/statuses/no-id/reblog",
        "POST, /api/v1/statuses/4711/unreblog",
        "GET, /api/v1/statuses/4711/reblogged_by",
        "GET, /api/v1/statuses/4711/quotes"
    })
    void anUnknownStatusAnswersNotFound(String method, String path) {
        assertThat(api.send(method, path, bob.token(), null, null).status()).isEqualTo(404);
    }

    @Test
    void nobodyRepostsWithoutAToken() {
        String original = api.publish(ann, "anonymous?");

        assertThat(api.post("/api/v1/statuses/" + original + "/reblog", null).status())
                .isEqualTo(401);
        assertThat(api.post("/api/v1/statuses/" + original + "/unreblog", null).status())
                .isEqualTo(401);
    }

    @Test
    void aVisibilityThatDoesNotExistIsRefused() {
        String original = api.publish(ann, "whom for?");
        Response refused = api.post("/api/v1/statuses/" + original + "/reblog", bob.token(), "visibility", "direct");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/visibility/0/error")).isEqualTo("ERR_INCLUSION");
    }

    @Test
    void repostersAreListedNewestFirstWithoutPrivateOnes() {
        String original = api.publish(ann, "who has?");
        ok(reblog(bob, original));
        ok(api.post("/api/v1/statuses/" + original + "/reblog", cat.token(), "visibility", "private"));
        ok(reblog(ann, original));

        String list = "/api/v1/statuses/" + original + "/reblogged_by";
        assertThat(api.get(list, null).each("username")).containsExactly("ann", "bob");
        ok(api.post("/api/v1/accounts/" + cat.id() + "/follow", bob.token()));
        for (User reader : List.of(cat, bob, ann)) {
            assertThat(api.get(list, reader.token()).each("username"))
                    .as("as in Mastodon, for the reposter and its followers too")
                    .containsExactly("ann", "bob");
        }
        assertThat(walk(list + "?limit=1", null)).containsExactly(ann.id(), bob.id());
    }

    @Test
    void manyHiddenRepostsAndQuotesMakeNoPageEmpty() {
        User dan = api.signUp("daniel");
        User troll = api.signUp("troll");
        ok(api.post("/api/v1/accounts/" + troll.id() + "/mute", dan.token()));
        String original = api.publish(ann, "much discussed");
        ok(reblog(bob, original));
        String shown = quote(bob, original, "public").text("/id");
        for (User hidden : List.of(ann, cat, troll)) {
            ok(api.post("/api/v1/statuses/" + original + "/reblog", hidden.token(), "visibility", "private"));
            ok(quote(troll, original, "public"));
        }

        Response reposters = api.get("/api/v1/statuses/" + original + "/reblogged_by?limit=2", dan.token());
        assertThat(reposters.each("id")).containsExactly(bob.id());
        assertThat(reposters.link("next")).isEmpty();
        Response quotes = api.get("/api/v1/statuses/" + original + "/quotes?limit=2", dan.token());
        assertThat(quotes.each("id")).containsExactly(shown);
        assertThat(quotes.link("next")).isEmpty();
    }

    @Test
    void aRepostOfADeletedStatusShowsATombstone() {
        String original = api.publish(ann, "soon gone");
        String repost = reblog(bob, original).text("/id");
        String quote = quote(bob, original, "public").text("/id");
        ok(api.delete("/api/v1/statuses/" + original, ann.token()));

        Response shown = api.get("/api/v1/statuses/" + repost, null);
        assertThat(shown.text("/reblog/id")).isEqualTo(original);
        assertThat(shown.json().at("/reblog/deleted").asBoolean()).isTrue();
        assertThat(shown.body()).doesNotContain("soon gone");
        assertThat(api.get("/api/v1/statuses/" + quote, null).text("/quote/state"))
                .isEqualTo("deleted");
        assertThat(reblog(cat, repost).status()).as("nothing to pass on").isEqualTo(404);
        assertThat(api.delete("/api/v1/statuses/" + repost, bob.token()).status())
                .isEqualTo(200);
    }

    @Test
    void aQuoteInsideAQuoteSaysHowTheViewerMaySeeIt() {
        User dan = api.signUp("danielle");
        String original = api.publish(ann, "soon gone");
        String quote = quote(bob, original, "public").text("/id");
        String quoteOfIt = quote(cat, quote, "public").text("/id");
        String repost = reblog(ann, quoteOfIt).text("/id");
        assertThat(inside(quoteOfIt, repost, null)).isEqualTo("accepted " + original);

        ok(api.post("/api/v1/accounts/" + ann.id() + "/mute", dan.token()));
        assertThat(inside(quoteOfIt, repost, dan)).isEqualTo("muted_account " + original);
        ok(api.post("/api/v1/accounts/" + dan.id() + "/block", ann.token()));
        assertThat(inside(quoteOfIt, quoteOfIt, dan)).isEqualTo("unauthorized null");
        ok(api.delete("/api/v1/statuses/" + original, ann.token()));
        assertThat(inside(quoteOfIt, repost, null)).isEqualTo("deleted null");
    }

    /** State and id of the quote inside what this quotes, which a repost of it says as well. */
    private static String inside(String quote, String repost, User viewer) {
        String token = viewer == null ? null : viewer.token();
        JsonNode status = api.get("/api/v1/statuses/" + quote, token).json();
        JsonNode passedOn = api.get("/api/v1/statuses/" + repost, token).json();
        JsonNode inside = status.at("/quote/quoted_status/quote");
        assertThat((passedOn.path("reblog").isObject() ? passedOn.path("reblog") : passedOn).at("/quote/quoted_status"))
                .isEqualTo(status.at("/quote/quoted_status"));
        return inside.path("state").asText() + " "
                + inside.path("quoted_status_id").asText();
    }

    @Test
    void pagesOfAnAccountWithoutRepostsOrRepliesStayFull() {
        User dan = api.signUp("dan");
        String original = api.publish(ann, "to answer and pass on");
        List<String> posts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            posts.add(0, api.publish(dan, "post " + i));
            ok(reblog(dan, api.publish(ann, "another " + i)));
            ok(api.post("/api/v1/statuses", dan.token(), "status", "reply " + i, "in_reply_to_id", original));
        }

        assertThat(profile(dan, "?limit=5&exclude_reblogs=true&exclude_replies=true"))
                .isEqualTo(posts);
        assertThat(walk("/api/v1/accounts/" + dan.id() + "/statuses?limit=2&exclude_reblogs=1&exclude_replies=1", null))
                .isEqualTo(posts);
        assertThat(profile(dan, "?limit=40&exclude_reblogs=1")).hasSize(10);
        assertThat(profile(dan, "?limit=40&exclude_replies=1")).hasSize(10);
        assertThat(profile(dan, "?limit=40")).hasSize(15);
    }

    private static Response reblog(User user, String status) {
        return api.post("/api/v1/statuses/" + status + "/reblog", user.token());
    }

    private static Response unreblog(User user, String status) {
        return api.post("/api/v1/statuses/" + status + "/unreblog", user.token());
    }

    private static Response quote(User user, String status, String visibility) {
        return api.post(
                "/api/v1/statuses",
                user.token(),
                "status",
                "look",
                "quoted_status_id",
                status,
                "quote_approval_policy",
                "public",
                "visibility",
                visibility);
    }

    private static int count(String status, String counter) {
        return api.get("/api/v1/statuses/" + status, ann.token())
                .json()
                .path(counter)
                .asInt();
    }

    private static List<String> profile(User user, String query) {
        return api.get("/api/v1/accounts/" + user.id() + "/statuses" + query, null)
                .each("id");
    }

    /** The ids of a list, walked down its links. */
    private static List<String> walk(String path, String token) {
        List<String> ids = new ArrayList<>();
        Response page = api.get(path, token);
        ids.addAll(page.each("id"));
        for (Optional<URI> next = page.link("next"); next.isPresent(); next = page.link("next")) {
            page = api.get(next.get().toString(), token);
            ids.addAll(page.each("id"));
        }
        return ids;
    }

    private static void ok(Response answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
}
