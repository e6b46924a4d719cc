package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No worker runs here: the tests list statuses themselves. */
class PublicRoutesTest {
    private static final TestRedis REDIS = TestRedis.Kind.STANDALONE.redis();
    private static ApiServer api;
    private static User ann;
    private static List<String> posted;

    @BeforeAll
    static void start() {
        REDIS.flush();
        api = new ApiServer(REDIS);
        ann = api.signUp("ann");
        posted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String id = api.publish(ann, "post " + i);
            posted.add(0, id);
            REDIS.askAt(Keys.PUBLIC, "ZADD", Keys.PUBLIC, id, id);
        }
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void anybodyReadsThePublicTimelineAndWalksIt() {
        List<String> walked = new ArrayList<>();
        Optional<URI> next = Optional.of(URI.create(api.url() + "/api/v1/timelines/public?limit=2&local=true"));
        while (next.isPresent()) {
            Response page = api.get(next.get().toString(), null);
            walked.addAll(page.each("id"));
            next = page.link("next");
        }
        assertThat(walked).isEqualTo(posted);
        assertThat(api.get("/api/v1/timelines/public", ann.token())
                        .json()
                        .at("/0/favourited")
                        .isBoolean())
                .isTrue();
    }

    @Test
    void thereAreNoOtherServers() {
        assertThat(api.get("/api/v1/timelines/public?remote=true", null).body()).isEqualTo("[]");
        assertThat(api.get("/api/v1/timelines/tag/a?remote=true", null).body()).isEqualTo("[]");
    }

    @Test
    void withoutPicturesAMediaTimelineIsEmpty() {
        assertThat(api.get("/api/v1/timelines/public?only_media=1", null).body())
                .isEqualTo("[]");
        assertThat(api.get("/api/v1/timelines/tag/a?only_media=1", null).body()).isEqualTo("[]");
    }

    @Test
    void aTagIsShownAsItIsCompared() {
        Response tag = api.get("/api/v1/tags/" + encoded("ＡＩ编程"), null);
        assertThat(tag.status()).isEqualTo(200);
        assertThat(tag.text("/name")).isEqualTo("ai编程");
        assertThat(tag.text("/url")).isEqualTo(api.url() + "/tags/ai" + encoded("编程"));
        assertThat(tag.json().has("following")).isFalse();
        assertThat(api.get("/api/v1/tags/a", ann.token())
                        .json()
                        .at("/following")
                        .isBoolean())
                .isTrue();
        assertThat(api.get("/api/v1/timelines/tag/" + encoded("编程") + "?any[]=a&all[]=b&none[]=c", null)
                        .body())
                .isEqualTo("[]");
    }

    @Test
    void anInvalidTagIsUnknown() {
        assertThat(api.get("/api/v1/tags/" + encoded("a b"), null).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/timelines/tag/123", null).body()).isEqualTo("[]");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
