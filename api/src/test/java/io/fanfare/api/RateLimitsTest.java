package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests within a window pass, further ones are refused: n and n + 1 for each limit. */
class RateLimitsTest {
    private static final String[] HEADERS = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"};

    private TestRedis redis;
    private ApiServer api;
    private ApiServer free;

    @BeforeEach
    void start() {
        redis = TestRedis.standalone();
        redis.flush();
        free = new ApiServer(redis);
        api = new ApiServer(
                redis,
                "limits.enabled=true",
                "limits.rates.requests=20",
                "limits.rates.requests-per-account=50",
                "limits.rates.posts-per-day=3",
                "limits.rates.bytes-per-day=1000",
                "limits.rates.deletes=2",
                "limits.rates.follows=3",
                "limits.rates.sign-ups=2",
                "limits.rates.apps=2",
                "limits.rates.apps-per-server=20",
                "limits.rates.logins=5",
                "limits.rates.logins-per-app=20",
                "http.trusted-proxies=127.0.0.1");
    }

    @AfterEach
    void stop() {
        api.close();
        free.close();
    }

    @Test
    void ofAHundredRequestsAtOnceExactlyAsManyPassAsTheLimitSays() {
        String token = free.signUp("ann").token();

        Instant started = Instant.now();
        List<Response> answers = atOnce(100, () -> api.get("/api/v1/timelines/home", token));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(20);
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 429)
                .hasSize(80)
                .allSatisfy(refused -> {
                    assertThat(refused.text("/error")).startsWith("Too many requests");
                    assertThat(refused.header("X-RateLimit-Remaining")).contains("0");
                    assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow()))
                            .isBetween(
                                    299
                                            - Duration.between(started, Instant.now())
                                                    .toSeconds(),
                                    300L);
                });
    }

    @Test
    void everyCountedAnswerSaysHowItStandsWithTheLimit() {
        Instant started = Instant.now();
        Response first = api.get("/api/v1/accounts/lookup?acct=nobody", null);
        Response second = api.get("/api/v1/accounts/lookup?acct=nobody", null);

        assertThat(first.header("X-RateLimit-Limit")).contains("20");
        assertThat(first.header("X-RateLimit-Remaining")).contains("19");
        assertThat(second.header("X-RateLimit-Remaining")).contains("18");
        Instant reset = Instant.parse(first.header("X-RateLimit-Reset").orElseThrow());
        assertThat(reset).isBetween(started.plusSeconds(299), Instant.now().plusSeconds(301));
    }

    @Test
    void aPageThatIsTheSameIsCountedAsWell() {
        String token = free.signUp("ann").token();
        String path = "/api/v1/timelines/home";
        String tag = api.get(path, token).header("ETag").orElseThrow();
        for (int left = 18; left >= 0; left--) {
            Response same = api.send("GET", path, token, null, null, "If-None-Match", tag);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.header("X-RateLimit-Remaining")).contains(String.valueOf(left));
        }
        assertThat(api.send("GET", path, token, null, null, "If-None-Match", tag)
                        .status())
                .isEqualTo(429);
    }

    @Test
    void pagesAndFeedsForPeopleAreCountedAsTheyAreInTheApi() {
        int left = 20;
        for (String path : List.of("/", "/@ann", "/@ann/1", "/@ann.rss", "/tags/x", "/tags/x.rss", "/articles")) {
            left--;
            assertThat(api.get(path, null).header("X-RateLimit-Remaining"))
                    .as(path)
                    .contains(String.valueOf(left));
        }
    }

    @Test
    void anUncountedRequestHasNoneOfTheHeaders() {
        for (Response answer : List.of(api.get("/health", null), free.get("/api/v1/accounts/1", null))) {
            assertThat(HEADERS)
                    .allSatisfy(name -> assertThat(answer.header(name)).isEmpty());
        }
        assertThat(redis.keys()).noneMatch(key -> key.startsWith("limit:"));
    }

    @Test
    void eachTokenAndEachAddressHasAWindowOfItsOwn() {
        User ann = free.signUp("ann");
        User bob = free.signUp("bob");
        for (int i = 0; i < 20; i++) {
            assertThat(api.get("/api/v1/accounts/" + ann.id(), ann.token()).status())
                    .isEqualTo(200);
            assertThat(anonymous("198.51.100.1").status()).isEqualTo(404);
        }

        assertThat(api.get("/api/v1/accounts/" + ann.id(), ann.token()).status())
                .isEqualTo(429);
        assertThat(anonymous("198.51.100.1").status()).isEqualTo(429);
        assertThat(api.get("/api/v1/accounts/" + ann.id(), bob.token()).status())
                .isEqualTo(200);
        assertThat(anonymous("198.51.100.2").status()).isEqualTo(404);
    }

    @Test
    void theTokensOfAnAccountShareAWindowToo() {
        free.signUp("ann");
        Response app = app(free);
        List<String> tokens = IntStream.range(0, 4)
                .mapToObj(i -> free.logIn(app, "ann", ApiServer.PASSWORD).text("/access_token"))
                .toList();
        List<Response> answers = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            tokens.forEach(token -> answers.add(api.get("/api/v1/timelines/home", token)));
        }

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(50);
        Response refused = answers.get(answers.size() - 1);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("/error")).startsWith("Too many requests of this account: at most 50 in 5 minutes");
        assertThat(refused.header("X-RateLimit-Limit")).contains("50");
    }

    @Test
    void networksOfIpv6HaveWiderWindowsAroundThoseOfTheirAddresses() {
        assertThat(passing("2001:db8:1:2::", 1, 21)).as("a /64").isEqualTo(20);
        assertThat(passing("2001:db8:5:00%02x::", 256, 1)).as("a /56").isEqualTo(80);
        assertThat(passing("2001:db8:6:%02x00::", 256, 2)).as("a /48").isEqualTo(320);
        assertThat(anonymous("2001:db8:7::1").status()).isEqualTo(404);
        assertThat(passing("198.51.100.%d", 256, 1)).as("a /24 of IPv4").isEqualTo(256);
    }

    /** How many of so many requests pass from each of so many addresses. */
    private long passing(String address, int addresses, int requests) {
        return IntStream.range(0, addresses * requests)
                .filter(i -> anonymous(address.formatted(i / requests)).status() == 404)
                .count();
    }

    @Test
    void postsOfADayAreCountedPerAccountInStatusesAndInBytes() {
        User ann = free.signUp("ann");
        User bob = free.signUp("bob");
        for (int i = 0; i < 3; i++) {
            assertThat(api.post("/api/v1/statuses", ann.token(), "status", "x").status())
                    .isEqualTo(200);
        }
        Response fourth = api.post("/api/v1/statuses", ann.token(), "status", "x");
        assertThat(fourth.status()).isEqualTo(429);
        assertThat(fourth.text("/error")).startsWith("Too many posts: at most 3 in 24 hours, wait until 20");
        assertThat(Long.parseLong(fourth.header("Retry-After").orElseThrow())).isBetween(86_000L, 86_400L);

        String words = "\u00e4".repeat(300);
        assertThat(api.post("/api/v1/statuses", bob.token(), "status", words).status())
                .isEqualTo(200);
        Response second = api.post("/api/v1/statuses", bob.token(), "status", words);
        assertThat(second.status()).isEqualTo(429);
        assertThat(second.text("/error")).startsWith("Too many bytes of text: at most 1000 in 24 hours");
        String post = free.publish(ann, "to be reposted");
        assertThat(api.post("/api/v1/statuses/" + post + "/reblog", bob.token()).status())
                .as("a refusal has taken nothing")
                .isEqualTo(200);
        assertThat(api.post("/api/v1/statuses", bob.token(), "status", "x").status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/statuses", bob.token(), "status", "x").status())
                .isEqualTo(429);
    }

    @Test
    void aForwardedAddressIsIgnoredWhenThePeerIsNoTrustedProxy() {
        try (ApiServer strict = new ApiServer(redis, "limits.enabled=true", "limits.rates.requests=2")) {
            for (int i = 0; i < 2; i++) {
                assertThat(lookup(strict, "198.51.100." + i).status()).isEqualTo(404);
            }
            assertThat(lookup(strict, "198.51.100.9").status()).isEqualTo(429);
        }
    }

    @Test
    void deletesAreCountedByUser() {
        User ann = free.signUp("ann");
        List<String> posts = IntStream.range(0, 3)
                .mapToObj(i -> free.publish(ann, "post " + i))
                .toList();

        assertThat(api.delete("/api/v1/statuses/" + posts.get(0), ann.token()).status())
                .isEqualTo(200);
        assertThat(api.delete("/api/v1/statuses/" + posts.get(1), ann.token()).status())
                .isEqualTo(200);
        Response refused = api.delete("/api/v1/statuses/" + posts.get(2), ann.token());
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("X-RateLimit-Limit")).contains("2");
        assertThat(free.get("/api/v1/statuses/" + posts.get(2), ann.token()).status())
                .as("a refused delete deletes nothing")
                .isEqualTo(200);
    }

    @Test
    void followsAreCountedByUser() {
        User ann = free.signUp("ann");
        User bob = free.signUp("bob");
        String path = "/api/v1/accounts/" + bob.id();

        assertThat(api.post(path + "/follow", ann.token()).status()).isEqualTo(200);
        assertThat(api.post(path + "/unfollow", ann.token()).status()).isEqualTo(200);
        assertThat(api.post(path + "/follow", ann.token()).status()).isEqualTo(200);
        assertThat(api.post(path + "/unfollow", ann.token()).status()).isEqualTo(429);
    }

    @Test
    void manyFollowsAtOnceCountAsManyAsTheyAre() {
        User ann = free.signUp("ann");
        String bob = free.signUp("bob").id();
        String cat = free.signUp("cat").id();
        String path = "/api/v1/accounts/follow";

        Response first = api.post(path, ann.token(), "id[]", bob, "id[]", cat);
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("X-RateLimit-Remaining")).contains("1");
        assertThat(api.post(path, ann.token(), "id[]", bob, "id[]", cat).status())
                .isEqualTo(429);
        assertThat(api.post("/api/v1/accounts/" + bob + "/unfollow", ann.token())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void theTokensOfAnAppAndThoseThatAreRefusedShareTheWindowOfTheirAddress() {
        Response app = app(free);
        User ann = free.signUp("ann");
        for (int i = 0; i < 7; i++) {
            assertThat(lookup(appToken(app)).status()).isEqualTo(404);
            assertThat(lookup("nobody's").status()).isEqualTo(401);
            assertThat(api.get("/api/v1/timelines/home", appToken(app)).status())
                    .isEqualTo(i < 6 ? 422 : 429);
        }
        assertThat(lookup("nobody's").status()).isEqualTo(429);
        assertThat(lookup(appToken(app)).status()).isEqualTo(429);
        assertThat(lookup(ann.token()).status()).isEqualTo(404);
    }

    private Response lookup(String token) {
        return api.get("/api/v1/accounts/lookup?acct=nobody", token);
    }

    /** A new one each time. */
    private String appToken(Response app) {
        return free.token(app, "grant_type", "client_credentials").text("/access_token");
    }

    @Test
    void signUpsAreCountedByAddressAndOnlyWhenTheyCouldSucceed() {
        assertThat(signUp("a b", "198.51.100.1").status()).isEqualTo(422);
        assertThat(signUp("ann", "198.51.100.1").status()).isEqualTo(200);
        assertThat(signUp("bob", "198.51.100.1").status()).isEqualTo(200);
        assertThat(signUp("cat", "198.51.100.1").status()).isEqualTo(429);
        assertThat(signUp("cat", "198.51.100.2").status()).isEqualTo(200);
    }

    @Test
    void appsAreCountedByAddress() {
        for (int i = 0; i < 2; i++) {
            assertThat(app(api).status()).isEqualTo(200);
        }
        assertThat(app(api).status()).isEqualTo(429);
    }

    @Test
    void appsAreCountedByNetworkToo() {
        assertThat(apps("198.51.100.%d", 12))
                .as("4 times what an address may, of a /24")
                .isEqualTo(8);
    }

    @Test
    void networksThatUseUpTheAppsOfTheServerShutNobodyElseOut() {
        assertThat(apps("198.51.%d.1", 20)).as("20 of everybody").isEqualTo(20);

        assertThat(apps("203.0.113.%d", 5)).as("a few more of each network").isEqualTo(3);
        Response refused = app(api, "203.0.113.9");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("/error"))
                .startsWith("Too many apps of your network while this server gets many: at most 3 in 60 minutes");
        assertThat(apps("192.0.%d.1", 20)).as("other networks").isEqualTo(20);
        assertThat(apps("2001:db8:1:%d::1", 5)).as("of a /48").isEqualTo(3);
    }

    private long apps(String address, int addresses) {
        return IntStream.range(0, addresses)
                .filter(i -> app(api, address.formatted(i)).status() == 200)
                .count();
    }

    private static Response app(ApiServer server, String address) {
        String body = "client_name=x&redirect_uris=app://x";
        return server.send(
                "POST", "/api/v1/apps", null, "application/x-www-form-urlencoded", body, "X-Forwarded-For", address);
    }

    @Test
    void logInsAreCountedByAddressRightOrWrong() {
        User ann = free.signUp("ann");
        Response app = app(free);
        for (int i = 0; i < 5; i++) {
            assertThat(logIn(app, "somebody" + i, "198.51.100.1").status()).isEqualTo(400);
        }
        Response refused = logIn(app, ann.name(), "198.51.100.1");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(logIn(app, "ann", "198.51.100.2").status()).isEqualTo(200);
    }

    @Test
    void logInsByPasswordAreCountedByAppAsWell() {
        User ann = free.signUp("ann");
        Response app = app(free);
        for (int i = 0; i < 20; i++) {
            assertThat(guess(app, "somebody" + i, "198.51.100." + i).status()).isEqualTo(400);
        }
        Response refused = logIn(app, ann.name(), "198.51.100.30");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(logIn(app(free), "ann", "198.51.100.30").status())
                .as("by another app")
                .isEqualTo(200);
        Response stranger = app(free);
        for (int i = 0; i < 21; i++) {
            String body = "grant_type=password&username=x&password=y&client_secret=wrong&client_id="
                    + stranger.text("/client_id");
            Response unknown = api.send(
                    "POST",
                    "/oauth/token",
                    null,
                    "application/x-www-form-urlencoded",
                    body,
                    "X-Forwarded-For",
                    "192.0.2." + i);
            assertThat(unknown.status())
                    .as("without the secret nothing is used up")
                    .isEqualTo(401);
        }
        assertThat(logIn(stranger, "ann", "198.51.100.31").status()).isEqualTo(200);
    }

    @Test
    void guessesAtANameAreLimitedWhetherItExistsOrNotAndItsOwnerIsNot() {
        User ann = free.signUp("ann");
        Response app = app(free);
        assertThat(logIn(app, ann.name(), "192.0.2.1").status()).isEqualTo(200);
        for (String name : List.of("ann", "nobody")) {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                statuses.add(guess(app, name, "198.51.100." + i).status());
            }
            assertThat(statuses).as(name).containsExactly(400, 400, 400, 400, 429, 429);
        }

        assertThat(logIn(app, "ann", "192.0.2.1").status()).isEqualTo(200);
    }

    @Test
    void nameAndAddressOfOneAccountAreCountedTogetherAndANameOfDigitsIsNobodysId() {
        User ann = free.signUp("ann");
        free.signUp(ann.id());
        Response app = app(free);
        for (int i = 0; i < 4; i++) {
            String name = i % 2 == 0 ? "ann" : "ann@example.org";
            assertThat(guess(app, name, "198.51.100." + i).status()).isEqualTo(400);
        }

        assertThat(guess(app, "ann", "198.51.100.8").status()).isEqualTo(429);
        assertThat(guess(app, "ANN@example.org", "198.51.100.9").status()).isEqualTo(429);
        assertThat(guess(app, ann.id(), "198.51.100.10").status()).isEqualTo(400);
    }

    /** They say the same to everybody, and cost nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/health",
                "/docs",
                "/docs/start.js",
                "/openapi.yaml",
                "/.well-known/nodeinfo",
                "/api/v2/instance",
                "/api/v1/instance/rules"
            })
    void constantAnswersAreNotCounted(String path) {
        for (int i = 0; i < 25; i++) {
            Response answer = api.get(path, null);
            assertThat(answer.status()).isEqualTo(200);
            for (String header : HEADERS) {
                assertThat(answer.header(header)).as(header).isEmpty();
            }
        }
    }

    @Test
    void whileRedisIsFullReadsPassAndLogInsDoNot() {
        User ann = free.signUp("ann");
        Response app = app(free);
        redis.askAt(Keys.META, "CONFIG", "SET", "maxmemory", "1");
        try {
            Response read = api.get("/api/v1/accounts/" + ann.id(), null);
            assertThat(read.status()).isEqualTo(200);
            assertThat(read.header("X-RateLimit-Limit")).isEmpty();
            assertThat(logIn(app, "ann", "192.0.2.1").status()).isEqualTo(503);
            assertThat(signUp("bob", "192.0.2.1").status()).isEqualTo(503);
        } finally {
            redis.askAt(Keys.META, "CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(logIn(app, "ann", "192.0.2.1").status()).isEqualTo(200);
    }

    private static List<Response> atOnce(int count, Supplier<Response> request) {
        List<CompletableFuture<Response>> all = IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.supplyAsync(request))
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    private Response anonymous(String address) {
        return lookup(api, address);
    }

    private static Response lookup(ApiServer server, String address) {
        return server.send("GET", "/api/v1/accounts/lookup?acct=nobody", null, null, null, "X-Forwarded-For", address);
    }

    private Response signUp(String name, String address) {
        String body = "{\"username\":\"" + name + "\",\"email\":\"" + name.replace(' ', '-')
                + "@example.org\",\"password\":\"" + ApiServer.PASSWORD + "\",\"agreement\":true}";
        return api.send("POST", "/api/v1/accounts", null, "application/json", body, "X-Forwarded-For", address);
    }

    private static Response app(ApiServer server) {
        return server.post(
                "/api/v1/apps",
                null,
                "client_name",
                "Tester",
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                "read write");
    }

    private Response logIn(Response app, String name, String address) {
        return token(app, name, ApiServer.PASSWORD, address);
    }

    private Response guess(Response app, String name, String address) {
        return token(app, name, "not the password", address);
    }

    private Response token(Response app, String name, String password, String address) {
        String body = "{\"grant_type\":\"password\",\"client_id\":\"" + app.text("/client_id")
                + "\",\"client_secret\":\"" + app.text("/client_secret") + "\",\"username\":\"" + name
                + "\",\"password\":\"" + password + "\"}";
        return api.send("POST", "/oauth/token", null, "application/json", body, "X-Forwarded-For", address);
    }
}
