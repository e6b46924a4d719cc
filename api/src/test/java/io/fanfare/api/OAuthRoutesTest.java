package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Application;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OAuthRoutesTest extends OnEveryRedis {
    private static User ann;
    private static Response app;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        app = register("Tester", "read write follow");
    }

    @Test
    void anAppIsRegisteredWithTheFieldsOfItsRequest() {
        assertThat(app.status()).isEqualTo(200);
        assertThat(app.text("/name")).isEqualTo("Tester");
        assertThat(app.text("/redirect_uris/0")).isEqualTo("urn:ietf:wg:oauth:2.0:oob");
        assertThat(app.text("/client_id")).matches("[A-Za-z0-9_-]{40,}");
        assertThat(app.text("/client_secret")).matches("[A-Za-z0-9_-]{40,}");
    }

    @Test
    void theSecretOfAnAppIsNotStored() {
        String key = Keys.app(app.text("/client_id"));

        assertThat(redis.askAt(key, "HVALS", key).items())
                .noneMatch(value -> value.asString().contains(app.text("/client_secret")));
    }

    @Test
    void redirectsMayComeAsAListOrLinesOrWords() {
        Response list = api.postJson(
                "/api/v1/apps",
                null,
                "{\"client_name\":\"x\",\"redirect_uris\":[\"https://a.example/1\",\"app://b\"]}");
        Response lines =
                api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "https://a.example/1\napp://b");

        Response words =
                api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "https://a.example/1 app://b");

        assertThat(list.json().path("redirect_uris")).isEqualTo(lines.json().path("redirect_uris"));
        assertThat(words.json().path("redirect_uris")).isEqualTo(lines.json().path("redirect_uris"));
        assertThat(list.text("/scopes/0")).isEqualTo("read");
    }

    @ParameterizedTest
    @CsvSource({
        "client_name, '', ERR_BLANK",
        "redirect_uris, '', ERR_BLANK",
        "redirect_uris, /relative, ERR_INVALID",
        "redirect_uris, javascript:alert(1), ERR_INVALID",
        "redirect_uris, http://app.example/, ERR_INVALID",
        "redirect_uris, https://good.example@evil.example/, ERR_INVALID",
        "scopes, read fly, ERR_INVALID",
        "scopes, read:xxx, ERR_INVALID",
        "redirect_uris, a://1 a://2 a://3 a://4 a://5 a://6, ERR_INVALID",
        "website, nowhere, ERR_INVALID"
    })
    void anAppWithUnacceptableFieldsIsRefused(String field, String value, String error) {
        Response refused = api.post(
                "/api/v1/apps",
                null,
                "client_name",
                field.equals("client_name") ? value : "x",
                "redirect_uris",
                field.equals("redirect_uris") ? value : "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                field.equals("scopes") ? value : "read",
                "website",
                field.equals("website") ? value : "");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/" + field + "/0/error")).isEqualTo(error);
    }

    @Test
    void ofAnAppThereIsABoundedAmount() {
        String five = "https://a.example/" + "x".repeat(482);
        Response most = registerAt(five + " a://2 a://3 a://4 a://5", "https://b.example/" + "x".repeat(482));
        assertThat(most.status()).isEqualTo(200);
        assertThat(registerAt(five + "x", "https://b.example/").text("/details/redirect_uris/0/error"))
                .isEqualTo("ERR_INVALID");
        assertThat(registerAt(five, "https://b.example/" + "x".repeat(483)).text("/details/website/0/error"))
                .isEqualTo("ERR_INVALID");
        assertThat(register("z" + "\u0301\u0323".repeat(16), "read").status()).isEqualTo(422);
        assertThat(register("x", "read read:xxx").text("/error")).contains("read:xxx is none");
    }

    private static Response registerAt(String redirectUris, String website) {
        return api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", redirectUris, "website", website);
    }

    @Test
    void anAppHasAnEndUntilSomebodyLogsInWithIt() {
        Response fresh = register("Fresh", "read");
        assertThat(life(fresh)).isBetween(86_000L, 86_400L);
        assertThat(api.token(fresh, "grant_type", "client_credentials").status())
                .isEqualTo(200);
        assertThat(life(fresh)).isBetween(89 * 86_400L, 90 * 86_400L);
        assertThat(api.logIn(fresh, "ann", "wrong password").status()).isEqualTo(400);
        assertThat(life(fresh)).isPositive();
        assertThat(api.logIn(fresh, "ann", ApiServer.PASSWORD).status()).isEqualTo(200);
        assertThat(life(fresh)).isEqualTo(-1);
    }

    @Test
    void anAppThatSomebodySignsUpWithStays() {
        Response fresh = register("Fresh", "read write");
        String token = api.token(fresh, "grant_type", "client_credentials", "scope", "read write")
                .text("/access_token");
        Response signedUp = api.post(
                "/api/v1/accounts",
                token,
                "username",
                "newcomer",
                "email",
                "newcomer@example.org",
                "password",
                ApiServer.PASSWORD,
                "agreement",
                "true");

        assertThat(signedUp.status()).isEqualTo(200);
        assertThat(life(fresh)).isEqualTo(-1);
    }

    private static long life(Response app) {
        String key = Keys.app(app.text("/client_id"));
        return redis.askAt(key, "TTL", key).asLong();
    }

    @Test
    void anAppGetsATokenOfItsOwnAndVerifiesIt() {
        Response token = token("grant_type", "client_credentials", "scope", "read write");

        assertThat(token.text("/token_type")).isEqualTo("Bearer");
        assertThat(token.text("/scope")).isEqualTo("read write");
        assertThat(api.get("/api/v1/apps/verify_credentials", token.text("/access_token"))
                        .text("/name"))
                .isEqualTo("Tester");
        assertThat(api.get("/api/v1/accounts/verify_credentials", token.text("/access_token"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aClientMaySayWhoItIsByHttpBasic() {
        assertThat(byBasic(app.text("/client_secret")).status()).isEqualTo(200);

        Response wrong = byBasic("wrong");
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.text("/error")).isEqualTo("invalid_client");
        assertThat(wrong.header("WWW-Authenticate")).contains("Basic realm=\"Fanfare\"");
    }

    private static Response byBasic(String secret) {
        String pair = app.text("/client_id") + ":" + secret;
        String basic = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return api.send(
                "POST",
                "/oauth/token",
                null,
                "application/x-www-form-urlencoded",
                "grant_type=client_credentials",
                "Authorization",
                basic);
    }

    @ParameterizedTest
    @CsvSource({"ann", "ANN", "ann@example.org", "Ann@Example.org"})
    void aUserLogsInByNameOrAddress(String login) {
        Response token = logIn(login, ApiServer.PASSWORD);

        assertThat(token.status()).isEqualTo(200);
        assertThat(api.get("/api/v1/accounts/verify_credentials", token.text("/access_token"))
                        .text("/id"))
                .isEqualTo(ann.id());
    }

    @Test
    void aStatusNamesTheAppThatPostedIt() {
        String token = logIn("ann", ApiServer.PASSWORD).text("/access_token");

        assertThat(api.post("/api/v1/statuses", token, "status", "x").text("/application/name"))
                .isEqualTo("Tester");
    }

    /** A later app of that name has its own. */
    @ParameterizedTest
    @CsvSource({
        "https://app.example/?a=b&c=d, 200",
        "https://other.example, 200",
        "'', 200",
        "https://long.example/, 201"
    })
    void aPostSaysTheWebsiteOfItsAppUnlessThatIsLong(String website, int length) {
        boolean isLong = length > Application.WEBSITE_MAX;
        String site = isLong ? website + "x".repeat(length - website.length()) : website;
        Response with = site.isEmpty()
                ? register("Linked", "read write follow")
                : api.post(
                        "/api/v1/apps",
                        null,
                        "client_name",
                        "Linked",
                        "redirect_uris",
                        "urn:ietf:wg:oauth:2.0:oob",
                        "scopes",
                        "read write follow",
                        "website",
                        site);
        assertThat(with.status()).isEqualTo(200);
        String token = api.token(
                        with,
                        "grant_type",
                        "password",
                        "username",
                        "ann",
                        "password",
                        ApiServer.PASSWORD,
                        "scope",
                        "read write")
                .text("/access_token");

        String id = api.post("/api/v1/statuses", token, "status", "linked " + site.length())
                .text("/id");

        JsonNode application = api.get("/api/v1/statuses/" + id, null).json().path("application");
        assertThat(application.path("name").asText()).isEqualTo("Linked");
        assertThat(application.path("website").isNull()).isEqualTo(isLong || website.isEmpty());
        assertThat(application.path("website").asText("")).isEqualTo(isLong ? "" : website);
    }

    @Test
    void anUnknownUserAndAWrongPasswordLookTheSame() {
        Response unknown = logIn("nobody", "whatever it is");
        Response wrong = logIn("ann", "whatever it is");

        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.body()).isEqualTo(wrong.body());
        assertThat(wrong.header("WWW-Authenticate"))
                .as("at which browsers would ask their users")
                .isEmpty();
        assertThat(unknown.text("/error")).isEqualTo("invalid_grant");
        assertThat(logIn("{}@{}", "x").body()).isEqualTo(wrong.body());
    }

    @Test
    void aHashOfOldParametersIsMadeAgainAtLogin() {
        User old = api.signUp("old");
        String key = Keys.user(Long.parseLong(old.id()));
        try (ApiServer stricter = new ApiServer(redis, "auth.argon-passes=2")) {
            assertThat(stricter.logIn(app, "old", ApiServer.PASSWORD).status()).isEqualTo(200);
            TestRedis.awaitUntil(
                    "the hash is of today's parameters", () -> stored(key).contains(",t=2,"));
        }
        assertThat(logIn("old", ApiServer.PASSWORD).status()).isEqualTo(200);
    }

    /** The values of a user's hash, one after the other. */
    private static String stored(String key) {
        return redis.askAt(key, "HVALS", key).items().stream()
                .map(Reply::asString)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aTokenNeedsARegisteredAppWithItsSecret() {
        Response wrong = api.post(
                "/oauth/token",
                null,
                "client_id",
                app.text("/client_id"),
                "client_secret",
                "wrong",
                "grant_type",
                "client_credentials");
        Response unknown =
                api.post("/oauth/token", null, "client_id", "{a}", "client_secret", "b", "grant_type", "password");

        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.text("/error")).isEqualTo("invalid_client");
        assertThat(unknown.body()).isEqualTo(wrong.body());
    }

    @Test
    void grantsAndScopesThatAreNotOfferedAreRefused() {
        for (String[] form : new String[][] {{}, {"grant_type", "password"}, {"grant_type", "implicit"}}) {
            Response answer = api.post("/oauth/token", null, form);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text("/error"))
                    .isEqualTo(
                            form.length > 0 && form[1].equals("implicit")
                                    ? "unsupported_grant_type"
                                    : "invalid_request");
        }
        assertThat(token("grant_type", "implicit").text("/error")).isEqualTo("unsupported_grant_type");
        assertThat(token("scope", "read").text("/error")).isEqualTo("invalid_request");
        assertThat(token("grant_type", "client_credentials", "scope", "push").text("/error"))
                .isEqualTo("invalid_scope");
    }

    @Test
    void aTokenAllowsNoMoreThanItsScopes() {
        String reader = token(
                        "grant_type",
                        "password",
                        "username",
                        "ann",
                        "password",
                        ApiServer.PASSWORD,
                        "scope",
                        "read:statuses")
                .text("/access_token");

        assertThat(api.post("/api/v1/statuses", reader, "status", "x").status()).isEqualTo(403);
        assertThat(api.get("/api/v1/accounts/verify_credentials", reader).status())
                .isEqualTo(403);
        assertThat(api.get("/api/v1/timelines/home", reader).status()).isEqualTo(200);
    }

    @Test
    void aSignUpThroughAnAppBelongsToIt() {
        String appToken =
                token("grant_type", "client_credentials", "scope", "read write").text("/access_token");
        Response signedUp = api.post(
                "/api/v1/accounts",
                appToken,
                "username",
                "zoe",
                "email",
                "zoe@example.org",
                "password",
                "a good password",
                "agreement",
                "true");

        assertThat(signedUp.text("/scope")).isEqualTo("read write");
        assertThat(api.post("/api/v1/statuses", signedUp.text("/access_token"), "status", "x")
                        .text("/application/name"))
                .isEqualTo("Tester");
    }

    @Test
    void aRevokedTokenIsRefusedAtOnceHere() {
        String token = logIn("ann", ApiServer.PASSWORD).text("/access_token");
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(200);

        assertThat(revoke(token, app.text("/client_secret")).body()).isEqualTo("{}");
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(401);
        assertThat(revoke(token, app.text("/client_secret")).status()).isEqualTo(200);
    }

    @Test
    void aRevocationIsNoticedByAnotherServerWithinASecond() {
        try (ApiServer other = new ApiServer(redis)) {
            String token = logIn("ann", ApiServer.PASSWORD).text("/access_token");
            assertThat(other.get("/api/v1/timelines/home", token).status()).isEqualTo(200);
            Stopwatch revoked = Stopwatch.start();
            assertThat(revoke(token, app.text("/client_secret")).status()).isEqualTo(200);

            TestRedis.awaitUntil(
                    "the other server refuses it",
                    () -> other.get("/api/v1/timelines/home", token).status() == 401);
            // TokensTest holds the second by a clock of its own; two more here, for a busy machine.
            assertThat(revoked.elapsed()).isLessThan(Duration.ofSeconds(3));
        }
    }

    @Test
    void onlyItsOwnAppRevokesAToken() {
        Response stranger = register("Stranger", "read");
        String token = logIn("ann", ApiServer.PASSWORD).text("/access_token");
        Response refused = api.post(
                "/oauth/revoke",
                null,
                "token",
                token,
                "client_id",
                stranger.text("/client_id"),
                "client_secret",
                stranger.text("/client_secret"));

        assertThat(refused.status()).isEqualTo(403);
        assertThat(revoke(token, "wrong").status()).isEqualTo(403);
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(200);
        assertThat(revoke("garbage", app.text("/client_secret")).status()).isEqualTo(200);
    }

    @Test
    void noAppRevokesATokenThatIsOfNone() {
        String token = api.signUp("without_app").token();
        Response refused = revoke(token, app.text("/client_secret"));

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("/error")).isEqualTo("unauthorized_client");
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(200);
        assertThat(api.post("/oauth/revoke", null, "token", token).status())
                .as("the holder of the token")
                .isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(401);
    }

    @Test
    void thePasswordGrantAndRegistrationsCanBeClosed() {
        try (ApiServer closed = new ApiServer(redis, "auth.password-grant=false", "auth.registrations=false")) {
            assertThat(closed.logIn(app, "ann", ApiServer.PASSWORD).text("/error"))
                    .isEqualTo("unsupported_grant_type");
            assertThat(closed.post("/api/v1/accounts", null, "username", "late").status())
                    .isEqualTo(403);
            assertThat(closed.get("/api/v1/instance", null)
                            .json()
                            .path("registrations")
                            .asBoolean())
                    .isFalse();
        }
    }

    @Test
    void noPageOfAnotherSiteReadsWhatComesOfThePasswordGrant() {
        for (Response answer : List.of(
                logIn("ann", ApiServer.PASSWORD),
                logIn("ann", "wrong"),
                token("grant_type", "password", "scope", "push"),
                api.post("/oauth/token", null, "grant_type", "password"))) {
            assertThat(answer.header("Access-Control-Allow-Origin"))
                    .as(answer.body())
                    .isEmpty();
            assertThat(answer.header("Access-Control-Expose-Headers")).isEmpty();
        }
        assertThat(token("grant_type", "client_credentials").header("Access-Control-Allow-Origin"))
                .as("browsers' apps need the other grants")
                .contains("*");
        try (ApiServer limited = new ApiServer(redis, "limits.enabled=true", "limits.rates.logins=1")) {
            assertThat(limited.logIn(app, "ann", "wrong").status()).isEqualTo(400);
            Response refused = limited.logIn(app, "ann", "wrong");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.example, 403",
        "null, 403",
        "capacitor://localhost, 403",
        "https://fanfare.example:8443, 403",
        "http://fanfare.example, 403",
        "https://fanfare.example, 200",
        "https://FANFARE.example, 200"
    })
    void aPageOfAnotherSiteGetsNoTokenForAPassword(String origin, int status) {
        try (ApiServer server = new ApiServer(redis, "http.public-url=https://fanfare.example:443")) {
            Response answer = server.send(
                    "POST",
                    "/oauth/token",
                    null,
                    "application/x-www-form-urlencoded",
                    "grant_type=password&username=ann&password=" + ApiServer.PASSWORD.replace(' ', '+') + "&client_id="
                            + app.text("/client_id") + "&client_secret=" + app.text("/client_secret"),
                    "Origin",
                    origin);

            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
            if (status == 403) {
                assertThat(answer.text("/error")).isEqualTo("unauthorized_client");
            }
        }
    }

    private static Response register(String name, String scopes) {
        return api.post(
                "/api/v1/apps",
                null,
                "client_name",
                name,
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                scopes);
    }

    private static Response logIn(String login, String password) {
        return token("grant_type", "password", "username", login, "password", password, "scope", "read write follow");
    }

    private static Response token(String... form) {
        return api.token(app, form);
    }

    private static Response revoke(String token, String secret) {
        return api.post(
                "/oauth/revoke", null, "token", token, "client_id", app.text("/client_id"), "client_secret", secret);
    }
}
