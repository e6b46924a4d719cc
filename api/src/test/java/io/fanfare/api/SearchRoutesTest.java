package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SearchRoutesTest {
    private static ApiServer api;
    private static ApiServer.User ann;
    private static ApiServer.User anna;
    private static ApiServer.User bob;

    @BeforeAll
    static void start() {
        TestRedis.cluster().flush();
        api = new ApiServer(TestRedis.cluster(), "http.public-url=https://social.example:8443");
        ann = api.signUp("ann");
        anna = api.signUp("Anna");
        api.signUp("ann_2");
        api.signUp("ann0");
        bob = api.signUp("bob");
        api.follow(bob, anna);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void accountsAreFoundByHowTheirNameBeginsTheNameItselfFirst() {
        assertThat(names("q=ann")).containsExactly("ann", "ann0", "ann_2", "anna");
        assertThat(names("q=%40ANN&type=accounts")).containsExactly("ann", "ann0", "ann_2", "anna");
        assertThat(names("q=anna")).containsExactly("anna");
        assertThat(names("q=nn")).isEmpty();
        assertThat(names("q=an%20n")).isEmpty();
    }

    @Test
    void anAddressOrUrlOfThisHostFindsOnlyThatAccount() {
        for (String text : new String[] {
            "ann@social.example:8443",
            "@ann@social.example",
            "https://social.example:8443/@ann",
            "https://social.example:8443/users/ann"
        }) {
            assertThat(names("resolve=true&q=" + text)).as(text).containsExactly("ann");
        }
        assertThat(names("q=ann@elsewhere.example")).isEmpty();
        assertThat(names("q=https://elsewhere.example/@ann")).isEmpty();
    }

    @Test
    void furtherPagesGoOnWhereTheFirstEnds() {
        assertThat(names("q=ann&type=accounts&limit=3")).containsExactly("ann", "ann0", "ann_2");
        assertThat(names("q=ann&type=accounts&limit=3&offset=3")).containsExactly("anna");
    }

    @Test
    void completionAnswersAPlainListOfFolloweesOnRequest() {
        assertThat(api.get("/api/v1/accounts/search?q=ann&limit=2", bob.token()).each("username"))
                .containsExactly("ann", "ann0");
        assertThat(api.get("/api/v1/accounts/search?q=ann&following=true", bob.token())
                        .each("username"))
                .containsExactly("anna");
        assertThat(api.get("/api/v1/accounts/search?q=ann", null).status()).isEqualTo(401);
    }

    @Test
    void aStatusIsFoundByItsUrlByThoseWhoMaySeeIt() {
        JsonNode open =
                api.post("/api/v1/statuses", ann.token(), "status", "open").json();
        JsonNode closed = api.post("/api/v1/statuses", ann.token(), "status", "closed", "visibility", "private")
                .json();

        assertThat(statuses(open.path("url").asText(), bob))
                .containsExactly(open.path("id").asText());
        assertThat(statuses(open.path("uri").asText(), bob))
                .containsExactly(open.path("id").asText());
        assertThat(statuses(closed.path("url").asText(), ann))
                .containsExactly(closed.path("id").asText());
        assertThat(statuses(closed.path("url").asText(), bob)).isEmpty();
        assertThat(statuses("https://social.example:8443/@ann/4711", bob)).isEmpty();
    }

    @Test
    void aHashtagInUseIsFoundByItsWholeName() {
        assertThat(search("q=%23Cats", bob).path("hashtags")).isEmpty();
        for (String tag : List.of("cats", "c\u00e4ts")) {
            String id = api.publish(bob, "of #" + tag);
            String key = PublicTimelines.key(tag); // As a worker lists it.
            TestRedis.cluster().askAt(key, "ZADD", key, id, id);
        }
        JsonNode found = search("q=%23Cats", bob);
        assertThat(found.at("/hashtags/0/name").asText()).isEqualTo("cats");
        assertThat(found.at("/hashtags/0/url").asText()).isEqualTo("https://social.example:8443/tags/cats");
        JsonNode folded = search("q=%EF%BC%A3%C3%A4ts", bob); // A wide C, and an umlaut.
        assertThat(folded.at("/hashtags/0/name").asText()).isEqualTo("c\u00e4ts");
        assertThat(folded.at("/hashtags/0/url").asText()).isEqualTo("https://social.example:8443/tags/c%C3%A4ts");
        assertThat(search("q=%2312", bob).path("hashtags")).isEmpty();
        assertThat(search("q=cats&type=accounts", bob).path("hashtags")).isEmpty();
    }

    @Test
    void theHashtagOfAPostIsOfferedToItsAuthorBeforeAWorkerHasListedIt() {
        String unused = api.publish(bob, "of #unlisted");

        assertThat(names(search("q=%23unli&type=hashtags", bob))).containsExactly("unlisted");
        assertThat(names(search("q=%23unli&type=hashtags", ann))).isEmpty();
    }

    @Test
    void hashtagsAreOfferedByHowTheyBeginPageByPage() {
        List<String> tags = List.of("hashtag_one", "hashtag_two", "hashing");
        for (String tag : tags) {
            String id = api.publish(bob, "of #" + tag);
            String key = PublicTimelines.key(tag); // As a worker lists and counts it.
            TestRedis.cluster().askAt(key, "ZADD", key, id, id);
            for (String names : List.of(Keys.TAG_NAMES, Keys.TAG_SCORES)) {
                TestRedis.cluster().askAt(names, "ZADD", names, names.equals(Keys.TAG_NAMES) ? "0" : "1", tag);
            }
        }
        assertThat(names(search("q=%23hash&type=hashtags", bob))).containsExactlyInAnyOrderElementsOf(tags);
        assertThat(names(search("q=HASHTAG_", ann))).containsExactlyInAnyOrder("hashtag_one", "hashtag_two");
        List<String> walked = new ArrayList<>();
        for (int offset = 0; offset < 4; offset++) {
            walked.addAll(names(search("q=hash&type=hashtags&limit=1&offset=" + offset, bob)));
        }
        assertThat(walked).containsExactlyInAnyOrderElementsOf(tags);
    }

    private static List<String> names(JsonNode found) {
        List<String> names = new ArrayList<>();
        found.path("hashtags").forEach(tag -> names.add(tag.path("name").asText()));
        return names;
    }

    @Test
    void theParametersOfAGetMayStandInItsBody() {
        ApiServer.Response found =
                api.send("GET", "/api/v1/accounts/search", bob.token(), "application/json", "{\"q\":\"anna\"}");
        assertThat(found.each("username")).containsExactly("anna");
    }

    @Test
    void withoutAQueryThereIsNothingToSearch() {
        assertThat(api.get("/api/v2/search", bob.token()).status()).isEqualTo(400);
        assertThat(api.get("/api/v1/accounts/search?q=+", bob.token()).status()).isEqualTo(400);
    }

    private static List<String> names(String parameters) {
        List<String> names = new ArrayList<>();
        search(parameters, bob)
                .path("accounts")
                .forEach(account -> names.add(account.path("username").asText()));
        return names;
    }

    private static List<String> statuses(String url, ApiServer.User viewer) {
        List<String> ids = new ArrayList<>();
        search("q=" + url, viewer)
                .path("statuses")
                .forEach(status -> ids.add(status.path("id").asText()));
        return ids;
    }

    private static JsonNode search(String parameters, ApiServer.User viewer) {
        ApiServer.Response answer = api.get("/api/v2/search?" + parameters, viewer.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }
}
