package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Promise;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

class ArticleRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    /** The rankings are everybody's. */
    @BeforeEach
    void forgetArticles() {
        for (String key : redis.keys()) {
            if (key.startsWith("{articles}:")) {
                redis.askAt(key, "DEL", key);
            }
        }
    }

    private static Response publish(User author, String... form) {
        Response answer = api.post("/api/v1/articles", author.token(), form);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    @CanIgnoreReturnValue
    private static String article(User author, String title) {
        return publish(author, "title", title).text("/id");
    }

    @CanIgnoreReturnValue
    private static Response vote(String id, User voter) {
        Response answer = api.post("/api/v1/articles/" + id + "/vote", voter.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private static List<String> list(String path, User viewer) {
        return api.get(path, viewer == null ? null : viewer.token()).each("id");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void votesArePublishedForStreamsAndRepeatedOnesAreNot() {
        RedisLink link = redis.link(api.vertx);
        List<String> published = published(link);
        String first = article(ann, "Queues");
        String second = article(ann, "Streams");
        vote(first, ann);
        vote(first, bob);
        vote(first, bob);
        TestRedis.awaitUntil("published", () -> !published.isEmpty());
        vote(second, bob);
        TestRedis.awaitUntil("published", () -> published.size() > 1);

        assertThat(published).containsExactly(standing(first, 2), standing(second, 2));
        TestRedis.await(link.close());
    }

    @Test
    void theLastVotesArePublishedBeforeAServerStops() {
        RedisLink link = redis.link(api.vertx);
        List<String> published = published(link);
        String id = article(ann, "Queues");
        ApiServer stopping = new ApiServer(redis);
        assertThat(stopping.post("/api/v1/articles/" + id + "/vote", bob.token())
                        .status())
                .isEqualTo(200);
        stopping.close();

        TestRedis.awaitUntil("published", () -> published.contains(standing(id, 2)));
        TestRedis.await(link.close());
    }

    /** The votes published from now on. */
    private static List<String> published(RedisLink link) {
        List<String> published = new CopyOnWriteArrayList<>();
        Promise<Void> subscribed = Promise.promise();
        var unused =
                link.subscribe(RedisLink.Channels.copied(Keys.VOTES_CHANNEL), Keys.BUS_SEQ, new RedisLink.Listener() {
                    @Override
                    public void subscribed() {
                        subscribed.tryComplete();
                    }

                    @Override
                    public void message(String channel, String payload) {
                        published.add(payload);
                    }

                    @Override
                    public void lost() {}
                });
        TestRedis.await(subscribed.future());
        return published;
    }

    private static String standing(String article, long votes) {
        return article + " " + Article.score(Long.parseLong(article), votes);
    }

    @Test
    void anArticleReadsWellForClientsThatKnowNoArticles() {
        Response posted = publish(
                ann,
                "title",
                "Ten <fast> queues #redis",
                "link",
                "https://example.org/queues?a=1&b=2",
                "text",
                "What I learnt.",
                "groups[]",
                "Java",
                "groups[]",
                "编程");
        JsonNode article = posted.json().path("article");
        assertThat(posted.text("/content"))
                .isEqualTo("<p>Ten &lt;fast&gt; queues <a href=\"" + api.url()
                        + "/tags/redis\" class=\"mention hashtag\" rel=\"tag\">#<span>redis</span></a><br>"
                        + "<a href=\"https://example.org/queues?a=1&amp;b=2\" rel=\"nofollow noopener noreferrer\""
                        + " target=\"_blank\">https://example.org/queues?a=1&amp;b=2</a></p><p>What I learnt.</p>");
        assertThat(posted.text("/visibility")).isEqualTo("public");
        assertThat(article.path("title").asText()).isEqualTo("Ten <fast> queues #redis");
        assertThat(article.path("link").asText()).isEqualTo("https://example.org/queues?a=1&b=2");
        assertThat(article.path("votes").asInt()).isEqualTo(1);
        assertThat(article.path("voted").asBoolean()).isTrue();
        assertThat(article.path("groups").toString()).isEqualTo("[\"java\",\"编程\"]");
        long id = Long.parseLong(posted.text("/id"));
        assertThat(article.path("score").asLong()).isEqualTo(Id.epochMillis(id) / 1000 + 432);

        for (String path : List.of("/api/v1/statuses/" + id, "/api/v1/articles/" + id)) {
            assertThat(api.get(path, ann.token()).json().path("article")).isEqualTo(article);
            JsonNode stranger = api.get(path, null).json().path("article");
            assertThat(stranger.path("voted").isNull()).isTrue();
            assertThat(stranger.path("votes").asInt()).isEqualTo(1);
        }
        assertThat(list("/api/v1/timelines/home", ann)).contains(Long.toString(id));
        assertThat(list("/api/v1/accounts/" + ann.id() + "/statuses", null)).contains(Long.toString(id));
        assertThat(api.get("/api/v1/statuses/" + id + "/source", ann.token()).text("/text"))
                .isEqualTo("Ten <fast> queues #redis\nhttps://example.org/queues?a=1&b=2\n\nWhat I learnt.");
    }

    @Test
    void aVoteCountsOnceAndIsShownEverywhere() {
        String id = article(ann, "Vote for me");
        assertThat(api.get("/api/v1/articles/" + id, bob.token())
                        .json()
                        .at("/article/voted")
                        .asBoolean())
                .isFalse();

        Response voted = vote(id, bob);
        assertThat(voted.text("/article/votes")).isEqualTo("2");
        assertThat(voted.json().at("/article/voted").asBoolean()).isTrue();
        assertThat(vote(id, bob).text("/article/votes")).isEqualTo("2");
        assertThat(vote(id, ann).text("/article/votes")).isEqualTo("2");
        assertThat(api.get("/api/v1/articles/" + id + "/voters", null).each("id"))
                .containsExactly(bob.id(), ann.id());

        Response page = api.get("/api/v1/articles/" + id + "/voters?limit=1", null);
        assertThat(page.each("id")).containsExactly(bob.id());
        Response next = api.get(page.link("next").orElseThrow().toString(), null);
        assertThat(next.each("id")).containsExactly(ann.id());
        assertThat(next.link("next")).isEmpty();

        String repost =
                api.post("/api/v1/statuses/" + id + "/reblog", bob.token()).text("/id");
        assertThat(api.get("/api/v1/statuses/" + repost, bob.token()).text("/reblog/article/votes"))
                .isEqualTo("2");
        String quote = api.post("/api/v1/statuses", bob.token(), "status", "look", "quoted_status_id", id)
                .text("/id");
        assertThat(api.get("/api/v1/statuses/" + quote, bob.token()).text("/quote/quoted_status/article/votes"))
                .isEqualTo("2");
        assertThat(vote(repost, bob).text("/id")).isEqualTo(id);
    }

    @Test
    void votingIsRefusedForWhatIsNoArticleAndWhenItIsOver() {
        String status = api.publish(ann, "no article");
        for (String path : List.of("/vote", "/groups/java")) {
            Response refused = path.equals("/vote")
                    ? api.post("/api/v1/articles/" + status + path, bob.token())
                    : api.send("PUT", "/api/v1/articles/" + status + path, ann.token(), null, null);
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.text("/error")).contains("no article");
        }
        assertThat(api.get("/api/v1/articles/" + status, null).status()).isEqualTo(404);
        assertThat(api.post("/api/v1/articles/123/vote", bob.token()).status()).isEqualTo(404);
        assertThat(api.post("/api/v1/articles/" + article(ann, "x") + "/vote", null)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aDeletedArticleLeavesRankingsAndGroups() {
        String id = publish(ann, "title", "Delete me", "groups", "java").text("/id");
        vote(id, bob);
        Response deleted = api.delete("/api/v1/statuses/" + id, ann.token());
        assertThat(deleted.text("/article/votes")).isEqualTo("2");

        assertThat(list("/api/v1/articles", null)).isEmpty();
        assertThat(list("/api/v1/articles?order=time", null)).isEmpty();
        assertThat(list("/api/v1/groups/java/articles", null)).isEmpty();
        assertThat(list("/api/v1/groups", null)).isEmpty();
        assertThat(api.post("/api/v1/articles/" + id + "/vote", bob.token()).status())
                .isEqualTo(404);
    }

    @Test
    void listsAreByScoreOrByTimeAndLeadOn() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(article(ann, "Article " + i));
        }
        vote(ids.get(0), bob);

        List<String> byScore = List.of(ids.get(0), ids.get(4), ids.get(3), ids.get(2), ids.get(1));
        List<String> byTime = List.of(ids.get(4), ids.get(3), ids.get(2), ids.get(1), ids.get(0));
        assertThat(list("/api/v1/articles", null)).isEqualTo(byScore);
        assertThat(list("/api/v1/articles?order=time", bob)).isEqualTo(byTime);
        assertThat(list("/api/v1/trends/statuses", null)).isEqualTo(byScore);
        assertThat(list("/api/v1/trends/statuses?limit=2&offset=1", null)).isEqualTo(byScore.subList(1, 3));
        for (int limit : List.of(1, 2, 3)) {
            assertThat(walk("/api/v1/articles?limit=" + limit)).isEqualTo(byScore);
            assertThat(walk("/api/v1/articles?order=time&limit=" + limit)).isEqualTo(byTime);
        }
        Response newest = api.get("/api/v1/articles?order=time&limit=2", null);
        String last = article(ann, "Later");
        assertThat(api.get(newest.link("prev").orElseThrow().toString(), null).each("id"))
                .containsExactly(last);
        assertThat(api.get("/api/v1/articles?order=votes", null).status()).isEqualTo(400);
        assertThat(api.get("/api/v1/articles?max_id=yesterday", null).status()).isEqualTo(400);
    }

    private static List<String> walk(String path) {
        List<String> ids = new ArrayList<>();
        Optional<String> next = Optional.of(path);
        while (next.isPresent()) {
            Response page = api.get(next.get(), null);
            ids.addAll(page.each("id"));
            next = page.link("next").map(URI::toString);
        }
        return ids;
    }

    @Test
    void articlesOfBlockedAuthorsAreNotInTheListsOfTheBlocker() {
        User cat = api.signUp("cat");
        User dan = api.signUp("dan");
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            kept.add(0, article(ann, "Ann's"));
            article(dan, "Dan's");
        }
        assertThat(api.post("/api/v1/accounts/" + dan.id() + "/block", cat.token())
                        .status())
                .isEqualTo(200);

        assertThat(list("/api/v1/articles?order=time", cat)).isEqualTo(kept.subList(0, 25));
        List<String> byScore = list("/api/v1/articles?limit=25", cat);
        assertThat(byScore).hasSize(25);
        assertThat(kept).containsAll(byScore);
    }

    @Test
    void theBestHaveManyVotes() {
        String id = article(ann, "The best");
        article(ann, "Not so good");
        assertThat(list("/api/v1/articles/best", null)).isEmpty();
        redis.askAt(Keys.ARTICLES_BY_SCORE, "ZINCRBY", Keys.ARTICLES_BY_SCORE, Integer.toString(198 * 432), id);
        vote(id, bob);

        assertThat(list("/api/v1/articles/best", null)).containsExactly(id);
        assertThat(api.get("/api/v1/articles/best", null).text("/0/article/votes"))
                .isEqualTo("200");
    }

    @Test
    void groupsAreCreatedByUseAndListedWithTheirSizes() {
        String one = publish(ann, "title", "One", "groups[]", "java", "groups[]", "fast_code")
                .text("/id");
        Milliseconds.awaitNext();
        String two = publish(bob, "title", "Two", "groups[]", "JAVA").text("/id");
        assertThat(api.get("/api/v1/groups", null).body())
                .isEqualTo("[{\"name\":\"java\",\"articles_count\":2},{\"name\":\"fast_code\",\"articles_count\":1}]");
        assertThat(list("/api/v1/groups/java/articles?order=time", null)).containsExactly(two, one);
        vote(one, bob);
        assertThat(list("/api/v1/groups/Java/articles", null)).containsExactly(one, two);
        assertThat(list("/api/v1/articles?group=java&limit=1", null)).containsExactly(one);
        assertThat(list("/api/v1/groups/nothing/articles", null)).isEmpty();

        String chinese = "/api/v1/articles/" + two + "/groups/" + encoded("编程");
        Response put = api.send("PUT", chinese, bob.token(), null, null);
        assertThat(put.json().at("/article/groups").toString()).isEqualTo("[\"java\",\"编程\"]");
        assertThat(list("/api/v1/groups/" + encoded("编程") + "/articles", null)).containsExactly(two);
        assertThat(api.delete(chinese, bob.token()).json().at("/article/groups").toString())
                .isEqualTo("[\"java\"]");

        // Ann created the group, Bob wrote the article, Cat did neither.
        String path = "/api/v1/articles/" + two + "/groups/java";
        assertThat(api.delete(path, api.signUp("eva").token()).status()).isEqualTo(403);
        assertThat(api.delete(path, ann.token()).status()).isEqualTo(200);
        assertThat(list("/api/v1/groups/java/articles", null)).containsExactly(one);
        assertThat(api.send("PUT", "/api/v1/articles/" + one + "/groups/a%20b", ann.token(), null, null)
                        .text("/error"))
                .contains("letters or digits");
    }

    @Test
    void anInvalidArticleIsRefusedWithTheNameOfTheField() {
        String[][] bad = {
            {"title", "title", ""},
            {"title", "title", "two\nlines"},
            {"title", "title", "x".repeat(301)},
            {"link", "title", "x", "link", "javascript:alert(1)"},
            {"link", "title", "x", "link", "https://a.example and more"},
            {"groups", "title", "x", "groups[]", "a b"},
            {"groups", "title", "x", "groups[]", "{articles}"},
            {"visibility", "title", "x", "visibility", "private"},
            {"text", "title", "x", "text", "y".repeat(500)},
        };
        for (String[] form : bad) {
            String[] fields = Arrays.copyOfRange(form, 1, form.length);
            Response refused = api.post("/api/v1/articles", ann.token(), fields);
            assertThat(refused.status()).as(String.join(" ", form)).isEqualTo(422);
            assertThat(refused.json().path("details").has(form[0]))
                    .as(refused.body())
                    .isTrue();
        }
        assertThat(list("/api/v1/articles", null)).isEmpty();
    }

    @Test
    void theSameKeyPublishesOneArticle() {
        String[] header = {"Idempotency-Key", "article-1"};
        String body = "{\"title\":\"Once\",\"groups\":[\"java\"]}";
        Response first = api.send("POST", "/api/v1/articles", ann.token(), "application/json", body, header);
        Response second = api.send("POST", "/api/v1/articles", ann.token(), "application/json", body, header);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(list("/api/v1/articles", null)).containsExactly(first.text("/id"));
        Response other =
                api.send("POST", "/api/v1/articles", ann.token(), "application/json", "{\"title\":\"Twice\"}", header);
        assertThat(other.status()).isEqualTo(422);
    }
}
