package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorizeRoutesTest {
    private static final String OOB = "urn:ietf:wg:oauth:2.0:oob";
    private static final String CALLBACK = "https://app.example/callback?x=1";
    private static final String VERIFIER = "a-verifier-of-at-least-forty-three-characters-0123456789";
    private static final Pattern HIDDEN = Pattern.compile("<input type=\"hidden\" name=\"(\\w+)\" value=\"([^\"]*)\">");

    private static final Pattern ACTION = Pattern.compile("<form method=\"post\" action=\"([^\"]*)\">");

    private static TestRedis redis;
    private static ApiServer api;
    private static User ann;
    private static Response app;

    @BeforeAll
    static void start() {
        redis = TestRedis.standalone();
        redis.flush();
        api = new ApiServer(redis);
        ann = api.signUp("ann");
        app = register("Tester <b>&\"'");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void theFormIsAStaticPageWithoutScriptThatEscapesWhatItEchoes() {
        Response form = ask("state", "\"><script>alert(1)</script>");

        assertThat(form.status()).isEqualTo(200);
        assertThat(form.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(form.body()).contains("Tester &lt;b&gt;&amp;&quot;&#39;").doesNotContain("<script", "<b>");
        assertThat(form.header("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'")
                .endsWith("form-action 'self' https://app.example");
        assertThat(form.header("Set-Cookie").orElseThrow()).contains("HttpOnly", "SameSite=Strict");
        assertThat(form.header("Cache-Control")).contains("no-store");
        assertThat(form.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(form.header("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    void theFormMasksThePasswordAndLetsManagersFillItIn() {
        assertThat(ask().body())
                .containsPattern("<input name=\"password\" type=\"password\" autocomplete=\"current-password\"")
                .containsPattern("<input name=\"username\" autocomplete=\"username\"");
    }

    @Test
    void aUserWhoApprovesIsSentBackWithACodeThatIsWorthAToken() {
        Response approved = approve(ask("state", "a b&c", "force_login", "true", "lang", "de"), "ann");

        assertThat(approved.status()).isEqualTo(302);
        String location = approved.header("Location").orElseThrow();
        assertThat(location).startsWith("https://app.example/callback?x=1&");
        assertThat(query(location))
                .containsEntry("state", "a b&c")
                .containsEntry("iss", api.url())
                .containsKey("code");
        Response token = exchange(query(location).get("code"), CALLBACK, "");
        assertThat(token.status()).isEqualTo(200);
        assertThat(token.text("/scope")).isEqualTo("read write");
        assertThat(api.get("/api/v1/accounts/verify_credentials", token.text("/access_token"))
                        .text("/id"))
                .isEqualTo(ann.id());
    }

    @Test
    void anAppWithoutAnAddressHasItsCodeShownAsText() {
        Response shown = approve(ask("redirect_uri", OOB), "ann@example.org");

        assertThat(shown.status()).isEqualTo(200);
        Matcher code = Pattern.compile("<code>([A-Za-z0-9_-]{43})</code>").matcher(shown.body());
        assertThat(code.find()).isTrue();
        assertThat(exchange(code.group(1), OOB, "").status()).isEqualTo(200);
    }

    @Test
    void aCodeThatComesAgainIsRefusedAndEndsTheTokenOfItsFirstUse() {
        String code = code();
        String token = exchange(code, CALLBACK, "").text("/access_token");
        String other = exchange(code(), CALLBACK, "").text("/access_token");
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(200);

        assertThat(exchange(code, CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
        assertThat(exchange(code, CALLBACK, "").text("/error")).isEqualTo("invalid_grant");

        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(401);
        assertThat(api.get("/api/v1/timelines/home", other).status())
                .as("the token of another code")
                .isEqualTo(200);
    }

    /** Or else any app that has learnt a code could end the token. */
    @Test
    void anotherAppNeitherEndsTheTokenOfACodeNorUsesTheCodeUp() {
        Response other = register("Other");
        String code = code();
        assertThat(exchange(other, code, CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
        String token = exchange(code, CALLBACK, "").text("/access_token");
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(200);

        assertThat(exchange(other, code, CALLBACK, "").text("/error")).isEqualTo("invalid_grant");

        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(200);
        assertThat(exchange(code, CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
        assertThat(api.get("/api/v1/timelines/home", token).status())
                .as("its own app ends it")
                .isEqualTo(401);
    }

    /** The exchange that redeems the code succeeds if its token is issued before another exchange arrives. */
    @Test
    void manyExchangesAtOnceRedeemACodeForOneTokenAndEndIt() {
        String code = code();
        List<CompletableFuture<Response>> all = IntStream.range(0, 10)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> exchange(code, CALLBACK, "")))
                .toList();
        List<Response> answers = all.stream().map(CompletableFuture::join).toList();

        List<Response> good =
                answers.stream().filter(answer -> answer.status() == 200).toList();
        assertThat(good).as("successful exchanges").hasSizeLessThanOrEqualTo(1);
        assertThat(answers)
                .filteredOn(answer -> !good.contains(answer))
                .as("the other exchanges")
                .allSatisfy(answer -> assertThat(answer.text("/error")).isEqualTo("invalid_grant"));
        String key = Keys.authorizationCode(Secrets.digest(code));
        String[] redeemed = redis.askAt(key, "GET", key).asString().split("\n");
        assertThat(redeemed).as("one token, for ann").startsWith("replayed", ann.id());
        String tokens = Keys.tokens(Long.parseLong(ann.id()));
        assertThat(redis.askAt(tokens, "HEXISTS", tokens, redeemed[2]).asLong())
                .as("the token of the code is listed")
                .isZero();
        assertThat(good).allSatisfy(answer -> assertThat(api.get("/api/v1/timelines/home", answer.text("/access_token"))
                        .status())
                .as("the token that was sent")
                .isEqualTo(401));
    }

    @Test
    void aCodeLivesTenMinutesUnderItsDigest() {
        String code = code();
        List<String> keys =
                redis.keys().stream().filter(key -> key.startsWith("code:")).toList();

        assertThat(keys).isNotEmpty().noneMatch(key -> key.contains(code)).allSatisfy(key -> assertThat(
                        redis.askAt(key, "TTL", key).asLong())
                .isBetween(590L, 600L));
    }

    @Test
    void aCodeEndsWithThePasswordThatItWasApprovedWith() {
        User eve = api.signUp("eve");
        String code =
                query(approve(ask(), "eve").header("Location").orElseThrow()).get("code");
        Response changed = api.post(
                "/api/v1/accounts/password",
                eve.token(),
                "current_password",
                ApiServer.PASSWORD,
                "password",
                "another good password");
        assertThat(changed.status()).isEqualTo(200);

        assertThat(exchange(code, CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
    }

    @Test
    void scopesMayHaveAnyWhiteSpaceBetweenThem() {
        assertThat(exchange(code("scope", "read\n\twrite"), CALLBACK, "").text("/scope"))
                .isEqualTo("read write");
    }

    /** toot opens the page with a slash, others without. */
    @ParameterizedTest
    @ValueSource(strings = {"/oauth/authorize", "/oauth/authorize/"})
    void theFormGoesToOneAddressHoweverThePageWasOpened(String path) {
        Response form = api.get(path + "?" + query(), null);

        assertThat(URI.create("http://localhost" + path).resolve(action(form)).getPath())
                .isEqualTo("/oauth/authorize");
    }

    private static String action(Response form) {
        Matcher action = ACTION.matcher(form.body());
        assertThat(action.find()).isTrue();
        return action.group(1);
    }

    @Test
    void aTokenOfScopeProfileReadsTheAccountAndNothingElse() {
        String token = exchange(code("scope", "profile"), CALLBACK, "").text("/access_token");

        assertThat(api.get("/api/v1/accounts/verify_credentials", token).text("/username"))
                .isEqualTo("ann");
        assertThat(api.get("/api/v1/preferences", token).status()).isEqualTo(403);
        assertThat(api.get("/api/v1/timelines/home", token).status()).isEqualTo(403);
    }

    @Test
    void formsInTwoTabsAreBothGood() {
        Response first = ask();
        Response second = api.send("GET", "/oauth/authorize?" + query(), null, null, null, "Cookie", cookie(first));
        assertThat(cookie(second)).isEqualTo(cookie(first));

        assertThat(approve(first, "ann").status()).isEqualTo(302);
        assertThat(approve(second, "ann").status()).isEqualTo(302);
        Response broken = api.send("GET", "/oauth/authorize?" + query(), null, null, null, "Cookie", "fanfare_form=x");
        assertThat(cookie(broken)).as("none of ours").isNotEqualTo("fanfare_form=x");
    }

    /** Such a page is asked for without the strict cookie. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void formsInTwoTabsThatAnotherSiteHasOpenedAreBothGood(boolean firstFirst) {
        Map<String, String> jar = new LinkedHashMap<>();
        List<Response> tabs = List.of(openedByAnotherSite(jar), openedByAnotherSite(jar));
        for (Response tab : firstFirst ? tabs : List.of(tabs.get(1), tabs.get(0))) {
            Map<String, String> fields = fields(tab);
            fields.putAll(Map.of("decision", "approve", "username", "ann", "password", ApiServer.PASSWORD));
            assertThat(submit(cookies(jar, ""), fields).status()).isEqualTo(302);
        }
        Map<String, String> fields = fields(tabs.get(0));
        fields.putAll(Map.of("decision", "approve", "username", "ann", "password", ApiServer.PASSWORD));
        assertThat(submit(cookies(jar, "SameSite=Lax"), fields).status())
                .as("without the strict cookie")
                .isEqualTo(403);
    }

    /** As a browser does: with the cookies that are lax, and keeping what is set. */
    private static Response openedByAnotherSite(Map<String, String> jar) {
        String lax = cookies(jar, "SameSite=Lax");
        Response form = api.send(
                "GET", "/oauth/authorize?" + query(), null, null, null, "Cookie", lax.isEmpty() ? "other=1" : lax);
        for (String set : form.raw().headers().allValues("Set-Cookie")) {
            jar.put(set.substring(0, set.indexOf('=')), set);
        }
        return form;
    }

    /** The cookies with this attribute. */
    private static String cookies(Map<String, String> jar, String attribute) {
        return jar.values().stream()
                .filter(set -> set.contains(attribute))
                .map(set -> set.split(";", 2)[0])
                .collect(Collectors.joining("; "));
    }

    @Test
    void theCookieComesBackFromBelowThePathOfThePublicUrl() {
        try (ApiServer below = new ApiServer(redis, "http.public-url=https://example.org/social")) {
            Response form = below.get("/oauth/authorize?" + query(), null);
            assertThat(action(form)).isEqualTo("/social/oauth/authorize");
            assertThat(form.raw().headers().allValues("Set-Cookie"))
                    .hasSize(2)
                    .allMatch(set -> set.startsWith("__Host-fanfare_form") && set.contains("; Path=/;"))
                    .allMatch(set -> set.contains("; Secure") && !set.contains("Domain"));
        }
    }

    @Test
    void overHttpsTheCookieIsOfThisHostAlone() {
        try (ApiServer secure = new ApiServer(redis, "http.public-url=https://example.org")) {
            Response form = secure.get("/oauth/authorize?" + query(), null);
            Map<String, String> fields = fields(form);
            fields.putAll(Map.of("decision", "approve", "username", "ann", "password", ApiServer.PASSWORD));
            assertThat(submit(secure, cookie(form), fields).status()).isEqualTo(302);
            assertThat(submit(secure, cookie(form).replace("__Host-", ""), fields)
                            .status())
                    .as("a cookie without the prefix, which another host of the domain can have set")
                    .isEqualTo(403);
        }
        assertThat(ask().header("Set-Cookie").orElseThrow())
                .as("without https browsers take no such name")
                .startsWith("fanfare_form=")
                .contains("; Path=/oauth/authorize;");
    }

    @Test
    void aCodeIsForItsAppAndItsAddressOnly() {
        Response other = register("Other");
        assertThat(exchange(other, code(), CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
        assertThat(exchange(code(), OOB, "").text("/error")).isEqualTo("invalid_grant");
        assertThat(exchange(code(), "", "").text("/error")).isEqualTo("invalid_grant");
        assertThat(exchange("", CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
    }

    @Test
    void aChallengeIsOnlyMetByItsVerifier() {
        String[] challenge = {"code_challenge", s256(VERIFIER), "code_challenge_method", "S256"};

        assertThat(exchange(code(challenge), CALLBACK, VERIFIER).status()).isEqualTo(200);
        assertThat(exchange(code(challenge), CALLBACK, "").text("/error")).isEqualTo("invalid_grant");
        assertThat(exchange(code(challenge), CALLBACK, VERIFIER + "x").text("/error"))
                .isEqualTo("invalid_grant");
        assertThat(exchange(code(challenge), CALLBACK, s256(VERIFIER)).text("/error"))
                .isEqualTo("invalid_grant");
        assertThat(exchange(code(), CALLBACK, VERIFIER).text("/error"))
                .as("a verifier where there was no challenge")
                .isEqualTo("invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({
        "response_type, token, unsupported_response_type",
        "scope, read admin:write, invalid_scope",
        "scope, push, invalid_scope",
        "scope, read:nothing-that-is-known, invalid_scope",
        "code_challenge_method, plain, invalid_request",
        "code_challenge, 0123456789012345678901234567890123456789012, invalid_request",
        "code_challenge, short, invalid_request"
    })
    void anInvalidRequestOfAnAppIsShownOnAPageAndDoesNotRedirect(String parameter, String value, String error) {
        Map<String, String> fields = fields(ask());
        fields.putAll(Map.of("decision", "deny", parameter, value));
        for (Response answer : List.of(ask(parameter, value, "state", "s"), submit(ask(), fields))) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Location")).isEmpty();
            assertThat(answer.header("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(answer.body()).contains(error).doesNotContain("app.example");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"javascript:alert(1)", "http://evil.example/", "intent:x", "ms-msdt:/id"})
    void anAppThatWasRegisteredWithAForbiddenAddressIsRefusedOnThePage(String address) {
        Response old = register("Old");
        String key = Keys.app(old.text("/client_id"));
        redis.askAt(key, "HSET", key, "redirects", address);

        Response answer = ask("client_id", old.text("/client_id"), "redirect_uri", address);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Location")).isEmpty();
        assertThat(answer.body()).contains("must register again").doesNotContain(address);
    }

    @Test
    void thePageSaysWhereTheCodeGoesAndHowLongTheAppIsKnown() {
        Response fresh = register("Fresh");
        String key = Keys.app(fresh.text("/client_id"));
        String[] byFresh = {"client_id", fresh.text("/client_id")};

        assertThat(ask(byFresh).body())
                .contains(
                        "<strong>the web site app.example</strong>", "registered less than a day ago by an unverified");
        assertThat(ask("client_id", fresh.text("/client_id"), "redirect_uri", OOB)
                        .body())
                .contains("<strong>this page, for you to copy</strong>");
        long now = Instant.now().getEpochSecond();
        redis.askAt(key, "HSET", key, "registered", Long.toString(now - 86_500));
        assertThat(ask(byFresh).body()).contains("registered a day ago by an unverified developer");
        redis.askAt(key, "HSET", key, "registered", Long.toString(now - 3 * 86_400 - 100));
        assertThat(ask(byFresh).body()).contains("registered 3 days ago by an unverified developer");
        redis.askAt(key, "HDEL", key, "registered");
        assertThat(ask(byFresh).body()).contains("registered by an unverified developer");
    }

    @Test
    void theNameOfAnAppShowsNoInvisibleOrTurnedCharacters() {
        Response tricky = register("\u202eTus\u200bky\u2066\u061c\ufeff\udb40\udc41");
        assertThat(tricky.text("/name")).isEqualTo("Tusky");
        Response empty = api.post(
                "/api/v1/apps", null, "client_name", "\u200b\u2069 \u3164", "redirect_uris", OOB, "scopes", "read");
        assertThat(empty.text("/details/client_name/0/error")).isEqualTo("ERR_BLANK");

        String key = Keys.app(tricky.text("/client_id"));
        redis.askAt(key, "HSET", key, "name", "stored \u202ebefore\u2069");
        assertThat(ask("client_id", tricky.text("/client_id")).body())
                .contains("<bdi>stored before</bdi>")
                .doesNotContain("\u202e", "\u2069");
    }

    @ParameterizedTest
    @CsvSource({
        "redirect_uri, https://evil.example/",
        "redirect_uri, https://app.example/callback?x=1&y=2",
        "redirect_uri, https://app.example/callback",
        "redirect_uri, https://APP.example/callback?x=1",
        "redirect_uri, ''",
        "client_id, nobody",
        "client_id, '{x}'"
    })
    void nobodyIsSentToAnAddressThatIsNotRegisteredLetterByLetter(String parameter, String value) {
        Response answer = ask(parameter, value);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Location")).isEmpty();
        assertThat(answer.header("Content-Type")).contains("text/html; charset=utf-8");
    }

    @Test
    void aUserWhoDeniesSendsTheAppAway() {
        Response form = ask("state", "s");
        Map<String, String> fields = fields(form);
        fields.put("decision", "deny");

        Response denied = submit(form, fields);

        assertThat(query(denied.header("Location").orElseThrow()))
                .containsEntry("error", "access_denied")
                .containsEntry("state", "s")
                .containsEntry("iss", api.url())
                .doesNotContainKey("code");
    }

    @Test
    void aWrongPasswordShowsTheFormAgainTheSameForEverybody() {
        Response form = ask();
        Map<String, String> fields = fields(form);
        fields.putAll(Map.of("decision", "approve", "username", "ann", "password", "wrong"));
        Response wrong = submit(form, fields);
        fields.put("username", "nob");
        Response unknown = submit(form, fields);

        assertThat(wrong.status()).isEqualTo(403).isEqualTo(unknown.status());
        assertThat(withoutToken(wrong).replace("ann", "nob")).isEqualTo(withoutToken(unknown));
        assertThat(approve(wrong, "ann").status()).as("and can be sent again").isEqualTo(302);
    }

    @Test
    void aFormThatAnotherSiteHasMadeIsRefused() {
        Response form = ask();
        Map<String, String> fields = fields(form);
        fields.putAll(Map.of("decision", "approve", "username", "ann", "password", ApiServer.PASSWORD));

        assertThat(submit("", fields).status()).as("no cookie").isEqualTo(403);
        assertThat(submit(cookie(ask()), fields).status())
                .as("cookie of another form")
                .isEqualTo(403);
        fields.remove("form_token");
        assertThat(submit(cookie(form), fields).status()).as("no token").isEqualTo(403);
        fields.put("form_token", cookie(form).substring(cookie(form).indexOf('=') + 1));
        assertThat(submit(cookie(form), fields).status())
                .as("the cookie itself as token")
                .isEqualTo(403);
    }

    @Test
    void theDiscoveryDocumentsSayWhereEverythingIs() {
        Response server = api.get("/.well-known/oauth-authorization-server", null);
        assertThat(server.text("/authorization_endpoint")).isEqualTo(api.url() + "/oauth/authorize");
        assertThat(server.text("/token_endpoint")).isEqualTo(api.url() + "/oauth/token");
        assertThat(server.text("/code_challenge_methods_supported/0")).isEqualTo("S256");
        assertThat(server.json().path("grant_types_supported").toString())
                .isEqualTo("[\"authorization_code\",\"client_credentials\",\"password\"]");
        assertThat(server.json()
                        .path("authorization_response_iss_parameter_supported")
                        .asBoolean())
                .isTrue();

        URI nodeInfo = URI.create(api.get("/.well-known/nodeinfo", null).text("/links/0/href"));
        Response info = api.get(nodeInfo.toString(), null);
        assertThat(info.text("/software/name")).isEqualTo("fanfare");
        assertThat(info.text("/software/version")).isEqualTo("1.2.3");
        assertThat(info.text("/metadata/upstream/name")).isEqualTo("mastodon");
        assertThat(info.text("/metadata/commit")).isEqualTo("84462230f4f1d0b1a3c5e7f90123456789abcdef");
        assertThat(info.text("/metadata/commit_time")).isEqualTo("2026-11-29T06:31:05Z");
    }

    private static Response register(String name) {
        return api.post(
                "/api/v1/apps",
                null,
                "client_name",
                name,
                "redirect_uris",
                CALLBACK + "\n" + OOB,
                "scopes",
                "read write follow");
    }

    /** Opens the form; parameters override what a good app sends. */
    private static Response ask(String... parameters) {
        return api.get("/oauth/authorize?" + query(parameters), null);
    }

    private static String query(String... parameters) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", app.text("/client_id"));
        query.put("redirect_uri", CALLBACK);
        query.put("scope", "read write");
        for (int i = 0; i < parameters.length; i += 2) {
            query.put(parameters[i], parameters[i + 1]);
        }
        return form(query);
    }

    private static String code(String... parameters) {
        String location = approve(ask(parameters), "ann").header("Location").orElseThrow();
        return query(location).get("code");
    }

    private static Response approve(Response form, String name) {
        Map<String, String> fields = fields(form);
        fields.putAll(Map.of("decision", "approve", "username", name, "password", ApiServer.PASSWORD));
        return submit(form, fields);
    }

    private static Response submit(Response form, Map<String, String> fields) {
        return submit(cookie(form), fields);
    }

    private static Response submit(String cookie, Map<String, String> fields) {
        return submit(api, cookie, fields);
    }

    private static Response submit(ApiServer server, String cookie, Map<String, String> fields) {
        return server.send(
                "POST",
                "/oauth/authorize",
                null,
                "application/x-www-form-urlencoded",
                form(fields),
                "Cookie",
                cookie.isEmpty() ? "other=1" : cookie);
    }

    private static Response exchange(String code, String redirectUri, String verifier) {
        return exchange(app, code, redirectUri, verifier);
    }

    private static Response exchange(Response client, String code, String redirectUri, String verifier) {
        return api.token(
                client,
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                redirectUri,
                "code_verifier",
                verifier);
    }

    private static Map<String, String> fields(Response form) {
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher hidden = HIDDEN.matcher(form.body());
        while (hidden.find()) {
            fields.put(hidden.group(1), hidden.group(2).replace("&amp;", "&"));
        }
        return fields;
    }

    private static String cookie(Response form) {
        return form.header("Set-Cookie").orElseThrow().split(";", 2)[0];
    }

    private static String withoutToken(Response form) {
        return form.body().replaceAll("name=\"form_token\" value=\"\\w+\"", "");
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static Map<String, String> query(String location) {
        Map<String, String> query = new HashMap<>();
        for (String parameter : URI.create(location).getRawQuery().split("&", -1)) {
            String[] pair = parameter.split("=", 2);
            query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    private static String s256(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
