package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.redis.testing.TestRedis;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OembedRoutesTest {
    private static final String URL = "https://social.example:8443";

    private static ApiServer api;
    private static ApiServer.User ann;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone(), "http.public-url=" + URL);
        ann = api.signUp("ann");
        assertThat(api.send(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                ann.token(),
                                "application/json",
                                "{\"display_name\":\"Ann <b>\"}")
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void aPublicPostIsAQuotationWithItsAuthorAndItsAddress() {
        String id = api.publish(ann, "1 < 2 #tag");
        Response answer = embed(url(id), "");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type").orElse("")).startsWith("application/json");
        JsonNode post = answer.json();
        assertThat(post.path("type").asText()).isEqualTo("rich");
        assertThat(post.path("version").asText()).isEqualTo("1.0");
        assertThat(post.path("author_name").asText()).isEqualTo("Ann <b>");
        assertThat(post.path("author_url").asText()).isEqualTo(URL + "/@ann");
        assertThat(post.path("provider_name").asText()).isEqualTo("social.example:8443");
        assertThat(post.path("provider_url").asText()).isEqualTo(URL + "/");
        assertThat(post.path("width").asInt()).isEqualTo(400);
        assertThat(post.path("height").isNull()).isTrue();
        assertThat(post.path("html").asText())
                .startsWith("<blockquote class=\"fanfare-embed\" cite=\"" + url(id) + "\" style=\"max-width:400px\">")
                .contains("1 &lt; 2", "Ann &lt;b&gt;", "(@ann@social.example:8443)", "<a href=\"" + url(id) + "\"")
                .doesNotContain("<script", "<iframe", "<b>");
    }

    @Test
    void theSizeIsTheRequestedOneWithinBounds() {
        String id = api.publish(ann, "words");
        JsonNode small =
                embed(url(id), "&maxwidth=220&maxheight=90&format=json").json();
        assertThat(small.path("width").asInt()).isEqualTo(220);
        assertThat(small.path("height").asInt()).isEqualTo(90);
        assertThat(small.path("html").asText()).contains("max-width:220px");
        JsonNode odd = embed(url(id), "&maxwidth=99999999999&maxheight=0").json();
        assertThat(odd.path("width").asInt()).isEqualTo(10_000);
        assertThat(odd.path("height").isNull()).isTrue();
        assertThat(embed(url(id), "&maxwidth=&maxheight=").json().path("width").asInt())
                .isEqualTo(400);
    }

    @Test
    void aWarningStandsInPlaceOfTheText() {
        Response made = api.post("/api/v1/statuses", ann.token(), "status", "the end", "spoiler_text", "a <film>");
        assertThat(embed(url(made.text("/id")), "").json().path("html").asText())
                .contains("a &lt;film&gt;")
                .doesNotContain("the end");
    }

    @Test
    void aStatusThatIsNotPublicIsUnknownLikeAnInvalidUrl() {
        assertThat(embed(url(made("unlisted")), "").status()).isEqualTo(200);
        String deleted = api.publish(ann, "gone");
        assertThat(api.delete("/api/v1/statuses/" + deleted, ann.token()).status())
                .isEqualTo(200);
        String unknown = embed(url("4711"), "").body();
        for (String url : List.of(
                url(made("private")),
                url(made("direct")),
                url(deleted),
                URL + "/@ann",
                "https://elsewhere.example/@ann/" + made("public"),
                "nonsense",
                "")) {
            Response answer = embed(url, "");
            assertThat(answer.status()).as(url).isEqualTo(404);
            assertThat(answer.body()).as(url).isEqualTo(unknown);
        }
        assertThat(api.get("/api/oembed", null).status()).isEqualTo(404);
    }

    private static Response embed(String url, String more) {
        return api.get("/api/oembed?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8) + more, null);
    }

    private static String made(String visibility) {
        return api.post("/api/v1/statuses", ann.token(), "status", "words", "visibility", visibility)
                .text("/id");
    }

    private static String url(String id) {
        return URL + "/@ann/" + id;
    }
}
