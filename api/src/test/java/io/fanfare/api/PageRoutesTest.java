package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.testing.TestRedis;
import java.net.URI;
import java.util.Optional;
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
    void whatIsNotForEverybodyIsOnNoPageEvenForItsAuthor() {
        String id = api.post("/api/v1/statuses", bob.token(), "status", "for followers", "visibility", "private")
                .text("/id");

        assertThat(api.get("/@bob/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.get("/@bob", bob.token()).body()).doesNotContain("for followers");
        assertThat(api.get("/@nobody", null).status()).isEqualTo(404);
        assertThat(api.get("/@a%20b", null).status()).isEqualTo(404);
        assertThat(api.get("/@bob/1", null).status()).isEqualTo(404);
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
                .contains("<details><summary>careful &amp; slow</summary><p>my words</p></details>")
                .contains("/@ann/" + original + "\"");
    }
}
