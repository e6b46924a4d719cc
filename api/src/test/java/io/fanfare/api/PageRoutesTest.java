package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PageRoutesTest {
    private static ApiServer api;
    private static User ann;
    private static User bob;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void theUrlsOfAnAccountAndAStatusShowThem() {
        String id = api.publish(ann, "Hello @bob <script>alert(1)</script>");
        Response status = api.get("/api/v1/statuses/" + id, null);

        for (String url : new String[] {status.text("/url"), status.text("/account/url"), "/@ANN"}) {
            Response page = api.get(url, null);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.header("Content-Security-Policy").orElseThrow()).contains("default-src 'none'");
            assertThat(page.body())
                    .contains("Hello ", "/@bob\"", "&lt;script&gt;", "/@ann/" + id)
                    .doesNotContain("<script>");
        }
    }

    @Test
    void aPrivateStatusIsOnNoPageEvenForItsAuthor() {
        String id = api.post("/api/v1/statuses", bob.token(), "status", "for followers", "visibility", "private")
                .text("/id");

        assertThat(api.get("/@bob/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.get("/@bob", bob.token()).body()).doesNotContain("for followers");
        assertThat(api.get("/@nobody", null).status()).isEqualTo(404);
        assertThat(api.get("/@a%20b", null).status()).isEqualTo(404);
        assertThat(api.get("/@bob/1", null).status()).isEqualTo(404);
    }

    @Test
    void aBrowserGetsThePageOfTheScriptsForWhatIsNotForEverybody() {
        String id = api.post("/api/v1/statuses", bob.token(), "status", "for bob's", "visibility", "private")
                .text("/id");
        Set<String> pages = new HashSet<>();
        for (String path :
                List.of("/@bob/" + id, "/@bob/1", "/@nobody", "/@nobody/followers", "/@a%20b", "/tags/%20")) {
            Response page = api.send("GET", path, null, null, null, "Accept", "text/html,*/*;q=0.8");
            assertThat(page.status()).isEqualTo(404);
            assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.header("Cache-Control")).contains("no-store");
            assertThat(page.header("Content-Security-Policy").orElseThrow()).contains("default-src 'none'");
            assertThat(page.body()).contains("There is nothing here", "noindex", "main.js");
            pages.add(page.body());
        }
        assertThat(pages).hasSize(1);
        assertThat(api.send("GET", "/@nobody.rss", null, null, null, "Accept", "text/html")
                        .header("Content-Type"))
                .contains("application/json; charset=utf-8");
    }

    @Test
    void aBrowserGetsAPageOfAnAddressThatIsNoneAndProgramsGetTheErrorOfTheApi() {
        for (String path :
                List.of("/nothing/here", "/nothing", "/nothing.html", "/articles/1/2", "/apis", "/oauthorize")) {
            Response page = api.send("GET", path, null, null, null, "Accept", "text/html,*/*;q=0.8");
            assertThat(page.status()).as(path).isEqualTo(404);
            assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.header("Cache-Control")).contains("no-store");
            assertThat(page.raw().headers().allValues("Vary")).contains("Accept, Accept-Language");
            assertThat(page.header("Access-Control-Allow-Origin")).isEmpty();
            assertThat(page.header("Content-Security-Policy"))
                    .isEqualTo(api.get("/login", null).header("Content-Security-Policy"));
            assertThat(page.body())
                    .contains(
                            "There is nothing here",
                            "The address may be wrong",
                            "href=\"/search\"",
                            "noindex",
                            "main.js");
            assertThat(api.get(path, null).header("Content-Type")).contains("application/json; charset=utf-8");
            assertThat(api.get(path, null).status()).isEqualTo(404);
        }
        assertThat(api.send("GET", "/nothing", null, null, null, "Accept", "text/html", "Accept-Language", "zh-CN")
                        .body())
                .contains("这里什么都没有");
        assertThat(api.send("HEAD", "/nothing", null, null, null, "Accept", "text/html")
                        .body())
                .isEmpty();
        for (String path : List.of(
                "/api/v1/nothing",
                "/api",
                "/oauth/nothing",
                "/1.1/nothing.json",
                "/web/nothing",
                "/.well-known/nothing",
                "/nodeinfo/9",
                "/no/thing.rss")) {
            Response error = api.send("GET", path, null, null, null, "Accept", "text/html,*/*;q=0.8");
            assertThat(error.status()).as(path).isEqualTo(404);
            assertThat(error.header("Content-Type")).contains("application/json; charset=utf-8");
        }
        assertThat(api.send("POST", "/nothing", null, null, null, "Accept", "text/html")
                        .header("Content-Type"))
                .contains("application/json; charset=utf-8");
    }

    @Test
    void anOlderPageIsOneLinkAway() {
        User cat = api.signUp("cat");
        for (int i = 0; i < 5; i++) {
            assertThat(api.publish(cat, "number " + i)).isNotEmpty();
        }
        StringBuilder seen = new StringBuilder();
        Optional<URI> next = Optional.of(URI.create(api.url() + "/@cat?limit=2"));
        while (next.isPresent()) {
            Response page = api.get(next.get().toString(), null);
            Matcher numbers = Pattern.compile("number (\\d)").matcher(page.body());
            while (numbers.find()) {
                seen.append(numbers.group(1));
            }
            assertThat(page.body().contains("Older"))
                    .isEqualTo(page.link("next").isPresent());
            next = page.link("next");
        }
        assertThat(seen).hasToString("43210");
    }

    @Test
    void aWarningHidesTheTextAndAQuoteLeadsToItsOriginal() {
        String original = api.publish(ann, "the original");
        Response quote = api.post(
                "/api/v1/statuses",
                bob.token(),
                "status",
                "my words",
                "spoiler_text",
                "careful & slow",
                "quoted_status_id",
                original);

        assertThat(api.get(quote.text("/url"), null).body())
                .contains("<summary dir=\"auto\">careful &amp; slow</summary>", "<p>my words</p></div></details>")
                .contains("/@ann/" + original + "\"");
    }

    @Test
    void anAccountAndATagHaveFeedsOfWhatEverybodyMaySee() {
        User dan = api.signUp("dan");
        String id = api.publish(dan, "In the feed & <b> #feeds");
        Response hidden = api.post("/api/v1/statuses", dan.token(), "status", "hidden #feeds", "visibility", "private");
        assertThat(hidden.status()).isEqualTo(200);

        Response feed = api.get("/@dan.rss", dan.token());
        assertThat(feed.header("Content-Type")).contains("application/rss+xml; charset=utf-8");
        assertThat(feed.header("Cache-Control")).contains("no-cache");
        assertThat(feed.body())
                .startsWith("<?xml")
                .contains("<link>" + api.url() + "/@dan/" + id + "</link>")
                .contains("<title>In the feed &amp; &lt;b&gt; #feeds</title>")
                .doesNotContain("hidden");
        String tag = feed.header("ETag").orElseThrow();
        assertThat(api.send("GET", "/@dan.rss", null, null, null, "If-None-Match", tag)
                        .status())
                .isEqualTo(304);
        assertThat(api.get("/tags/feeds.rss", null).body()).contains("<title>#feeds</title>");
        assertThat(api.get("/@nobody.rss", null).status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/statuses/" + id, dan.token()).status()).isEqualTo(200);
        assertThat(api.get("/@dan.rss", null).body()).doesNotContain("In the feed");
    }

    @Test
    void theFrontAndTheArticlesCanBeReadWithoutScripts() {
        String post = api.publish(ann, "on the front page");
        // What a worker does.
        TestRedis.standalone().askAt(Keys.PUBLIC, "ZADD", Keys.PUBLIC, post, post);
        Response article = api.post(
                "/api/v1/articles", ann.token(), "title", "Ten <fast> queues", "link", "https://example.org/q");

        assertThat(api.get("/", null).body()).contains("on the front page", "/@ann/" + post);
        assertThat(api.get("/articles", null).body())
                .contains("Ten &lt;fast&gt; queues", "href=\"https://example.org/q\"", "/@ann/" + article.text("/id"));
        assertThat(api.get("/articles?max_id=nonsense", null).status()).isEqualTo(400);
        assertThat(api.get("/@ann/followers", null).status()).isEqualTo(200);
        assertThat(api.get("/@nobody/followers", null).status()).isEqualTo(404);
    }
}
