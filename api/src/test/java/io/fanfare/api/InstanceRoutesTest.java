package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class InstanceRoutesTest {
    private static ApiServer api;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(
                TestRedis.standalone(),
                "http.public-url=https://social.example:8443",
                "limits.text-max=777",
                "instance.title=The Loft",
                "instance.contact-email=keeper@social.example");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void bothDocumentsNameTheMastodonVersionThatClientsLookFor() {
        for (String path : new String[] {"/api/v1/instance", "/api/v2/instance"}) {
            JsonNode instance = api.get(path, null).json();
            assertThat(instance.path("version").asText()).isEqualTo("4.5.0 (compatible; Fanfare 1.2.3)");
            assertThat(instance.at("/configuration/statuses/max_characters").asInt())
                    .isEqualTo(777);
        }
    }

    @Test
    void urlsComeFromThePublicUrl() {
        assertThat(api.get("/api/v1/instance", null).text("/uri")).isEqualTo("social.example:8443");
        assertThat(api.get("/api/v1/instance", null).text("/urls/streaming_api"))
                .isEqualTo("wss://social.example:8443");
        assertThat(api.get("/api/v2/instance", null).text("/domain")).isEqualTo("social.example:8443");
        assertThat(api.get("/api/v2/instance", null).text("/configuration/urls/streaming"))
                .isEqualTo("wss://social.example:8443");
    }

    @Test
    void anAccountIsFoundByItsHandleAndItsAddress() {
        ApiServer.User gwen = api.signUp("gwen");
        assertThat(api.get("/.well-known/host-meta", null).body())
                .contains("https://social.example:8443/.well-known/webfinger?resource={uri}");
        String page = "https://social.example:8443/@" + "gwen";
        for (String resource : List.of("acct:gwen@social.example:8443", "acct:Gwen@social.example", page)) {
            ApiServer.Response found = api.get("/.well-known/webfinger?resource=" + resource, null);
            assertThat(found.text("/subject")).as(resource).isEqualTo("acct:gwen@social.example:8443");
            assertThat(found.text("/links/0/href")).isEqualTo(page);
        }
        for (String resource : List.of("acct:gwen@elsewhere.example", "acct:nobody@social.example", gwen.id())) {
            assertThat(api.get("/.well-known/webfinger?resource=" + resource, null)
                            .status())
                    .as(resource)
                    .isEqualTo(404);
        }
        assertThat(api.get("/.well-known/webfinger", null).status()).isEqualTo(400);
    }

    @Test
    void theInstanceDeclaresItsApiVersionAndDisabledTimelines() {
        JsonNode instance = api.get("/api/v2/instance", null).json();

        assertThat(instance.at("/configuration/timelines_access/trending_link_feeds/local")
                        .asText())
                .isEqualTo("disabled");
        assertThat(instance.at("/api_versions/mastodon").asInt()).isEqualTo(7);
    }

    @Test
    void bothDocumentsIntroduceTheServerAsItsOperatorDoes() {
        JsonNode v1 = api.get("/api/v1/instance", null).json();
        JsonNode v2 = api.get("/api/v2/instance", null).json();

        assertThat(v1.path("title").asText()).isEqualTo("The Loft");
        assertThat(v2.path("title").asText()).isEqualTo("The Loft");
        assertThat(v1.path("email").asText()).isEqualTo("keeper@social.example");
        assertThat(v2.at("/contact/email").asText()).isEqualTo("keeper@social.example");
    }

    @Test
    void accountsAndStatusesAreCounted() {
        ApiServer.User ann = api.signUp("ann");
        assertThat(api.publish(ann, "one")).isNotEmpty();
        String two = api.publish(ann, "two");
        assertThat(api.delete("/api/v1/statuses/" + two, ann.token()).status()).isEqualTo(200);

        // What is counted is read once a minute: a server that has not counted yet.
        try (ApiServer fresh = new ApiServer(TestRedis.standalone())) {
            JsonNode stats = fresh.get("/api/v1/instance", null).json().path("stats");
            assertThat(stats.path("user_count").asInt()).isEqualTo(1);
            assertThat(stats.path("status_count").asInt()).isEqualTo(1);
        }
    }

    @Test
    void healthIsOkAsText() {
        ApiServer.Response health = api.get("/health", null);
        assertThat(health.body()).as("the word that Mastodon.py looks for").isEqualTo("OK");
        assertThat(health.raw().headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(health.header("Cache-Control")).contains("no-store");
    }

    @Test
    void searchEnginesAndManagersOfPasswordsFindTheirAddresses() {
        ApiServer.Response robots = api.get("/robots.txt", null);
        assertThat(robots.header("Content-Type").orElse("")).startsWith("text/plain");
        assertThat(robots.body()).startsWith("User-agent: *\nDisallow: /api/\n").doesNotContain("Disallow: /\n");
        ApiServer.Response password = api.get("/.well-known/change-password", null);
        assertThat(password.status()).isEqualTo(302);
        assertThat(password.header("Location")).contains("/settings");
        assertThat(api.get("/settings", null).status()).isEqualTo(200);
        // By the specification, nothing else below it may seem to be there.
        assertThat(api.get("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200", null)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void belowAPathTheAddressesHaveThatPath() {
        try (ApiServer below = new ApiServer(TestRedis.standalone(), "http.public-url=https://example.org/social")) {
            assertThat(below.get("/robots.txt", null).body()).contains("\nDisallow: /social/api/\n");
            assertThat(below.get("/.well-known/change-password", null).header("Location"))
                    .contains("/social/settings");
        }
    }

    @Test
    void theIconIsThereForProgramsThatReadNoPage() {
        ApiServer.Response icon = api.get("/favicon.ico", null);
        assertThat(icon.status()).isEqualTo(200);
        assertThat(icon.header("Content-Type")).contains("image/x-icon");
        assertThat(icon.body()).contains("PNG");
    }

    @Test
    void requestsAreTimedByRouteRatherThanByPath() {
        assertThat(api.get("/api/v1/accounts/4711", null).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/4712", null).status()).isEqualTo(404);

        Timer timer = api.metrics
                .get("fanfare.http.requests")
                .tags("method", "GET", "route", "/api/v1/accounts/:id", "status", "4xx")
                .timer();
        TestRedis.awaitUntil("both are counted", () -> timer.count() == 2);
    }
}
