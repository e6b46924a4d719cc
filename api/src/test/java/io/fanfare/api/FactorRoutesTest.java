package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.core.testing.Authenticator;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log-ins and dangerous acts of accounts with a second factor, as browsers and apps see them. */
class FactorRoutesTest {
    private static final String PAGE = "X-Fanfare-Page";
    private static final String CALLBACK = "https://app.example/callback";
    private static final Pattern HIDDEN = Pattern.compile("<input type=\"hidden\" name=\"(\\w+)\" value=\"([^\"]*)\">");
    private static final int RECOVERY_CODES = 10;
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static TestRedis redis;
    private static TestClock clock;
    private static ApiServer api;
    private static Response app;

    private String name;
    private User ann;
    private String secret;
    private List<String> recoveryCodes;

    /** A clock that the test moves. */
    private static final class TestClock extends Clock {
        private volatile Instant now = Instant.now();

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }

        private void later(Duration time) {
            now = now.plus(time);
        }

        /** Ids are given out at about the time of Redis only. */
        private void ofRedis(Duration ago) {
            now = Instant.now().minus(ago);
        }
    }

    @BeforeAll
    static void start() {
        redis = TestRedis.standalone();
        redis.flush();
        clock = new TestClock();
        api = new ApiServer(redis, clock);
        app = api.post(
                "/api/v1/apps", null, "client_name", "Tester", "redirect_uris", CALLBACK, "scopes", "read write");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @BeforeEach
    void enroll() {
        name = "ann" + NAMES.incrementAndGet();
        ann = signUp(name);
        Response begun = api.post("/api/v1/factor", ann.token(), "current_password", ApiServer.PASSWORD);
        assertThat(begun.status()).isEqualTo(200);
        secret = begun.text("/secret");
        Response enabled = api.post("/api/v1/factor/enable", ann.token(), "code", code());
        assertThat(enabled.status()).as(enabled.body()).isEqualTo(200);
        recoveryCodes = new ArrayList<>();
        enabled.json().at("/recovery_codes").forEach(code -> recoveryCodes.add(code.asText()));
        clock.later(Duration.ofMinutes(1));
    }

    private static User signUp(String name) {
        clock.ofRedis(Duration.ZERO);
        return api.signUp(name);
    }

    private String code() {
        return Authenticator.code(secret, clock.instant());
    }

    private static Response page(String path, String form, String... headers) {
        String[] all = Stream.concat(Stream.of(PAGE, "1"), Stream.of(headers)).toArray(String[]::new);
        return api.send("POST", path, null, "application/x-www-form-urlencoded", form, all);
    }

    private Response logIn() {
        return page("/api/v1/session", "username=" + name + "&password=" + encode(ApiServer.PASSWORD));
    }

    private static String cookie(Response answer, String of) {
        return answer.raw().headers().allValues("Set-Cookie").stream()
                .filter(set -> set.startsWith(of + "="))
                .map(set -> set.substring(0, set.indexOf(';')))
                .findFirst()
                .orElse("");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Response home(String cookie) {
        return api.send("GET", "/api/v1/timelines/home", null, null, null, PAGE, "1", "Cookie", cookie);
    }

    @Test
    void thePasswordAloneBeginsNoSession() {
        Response first = logIn();

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.json().at("/account").isNull()).isTrue();
        assertThat(first.json().at("/needs_code").asBoolean()).isTrue();
        assertThat(cookie(first, "fanfare_session")).isEmpty();
        String ticket = cookie(first, "fanfare_login");
        assertThat(first.raw().headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .contains("HttpOnly", "SameSite=Strict", "Max-Age=300");
        String value = ticket.substring(ticket.indexOf('=') + 1);
        assertThat(home("fanfare_session=" + value).status()).isEqualTo(401);
        assertThat(api.get("/api/v1/timelines/home", value).status()).isEqualTo(401);

        Response entered = page("/api/v1/session/code", "code=" + code(), "Cookie", ticket);
        assertThat(entered.text("/account/username")).isEqualTo(name);
        assertThat(home(cookie(entered, "fanfare_session")).status()).isEqualTo(200);
        assertThat(cookie(entered, "fanfare_login")).isEqualTo("fanfare_login=");
    }

    @Test
    void aTicketIsGoodForItsAccountBrowserAndPasswordForFiveMinutes() {
        User bob = signUp("bob" + NAMES.incrementAndGet());
        clock.later(Duration.ofMinutes(1));
        String ticket = cookie(logIn(), "fanfare_login");
        String hers = ticket.substring(ticket.indexOf('=') + 1);
        String forged = bob.id() + hers.substring(hers.indexOf('.'));

        assertThat(page("/api/v1/session/code", "code=" + code()).status())
                .as("none")
                .isEqualTo(401);
        assertThat(page("/api/v1/session/code", "code=" + code(), "Cookie", "fanfare_login=" + forged)
                        .status())
                .as("for another account")
                .isEqualTo(401);
        for (String broken : List.of("x", ".", "1.", hers.substring(1), hers + "A", "1." + "x".repeat(5000))) {
            assertThat(page("/api/v1/session/code", "code=" + code(), "Cookie", "fanfare_login=" + broken)
                            .status())
                    .as(broken)
                    .isIn(401, 431);
        }
        assertThat(api.send(
                                "POST",
                                "/api/v1/session/code",
                                null,
                                "application/x-www-form-urlencoded",
                                "code=" + code(),
                                "Cookie",
                                ticket)
                        .status())
                .as("a page of another site")
                .isEqualTo(403);
        clock.later(Duration.ofMinutes(6));
        assertThat(page("/api/v1/session/code", "code=" + code(), "Cookie", ticket)
                        .status())
                .as("an old one")
                .isEqualTo(401);
        String fresh = cookie(logIn(), "fanfare_login");
        assertThat(confirm(ann.token()).status()).isEqualTo(200);
        clock.later(Duration.ofMinutes(1));
        assertThat(changePassword(ann.token(), "another good password").status())
                .isEqualTo(200);
        Response old = page("/api/v1/session/code", "code=" + code(), "Cookie", fresh);
        assertThat(old.status()).as("of the password before").isEqualTo(401);
        assertThat(cookie(old, "fanfare_session")).isEmpty();
    }

    @Test
    void aWrongCodeAndAReplayBeginNoSession() {
        String ticket = cookie(logIn(), "fanfare_login");
        String code = code();

        assertThat(page("/api/v1/session/code", "code=", "Cookie", ticket).status())
                .isEqualTo(422);
        Response wrong =
                page("/api/v1/session/code", "code=" + (code.equals("000000") ? "1" : "0") + "00000", "Cookie", ticket);
        assertThat(wrong.text("/details/code/0/error")).isEqualTo("ERR_INVALID");
        assertThat(page("/api/v1/session/code", "code=" + code, "Cookie", ticket)
                        .status())
                .isEqualTo(200);
        assertThat(page("/api/v1/session/code", "code=" + code, "Cookie", ticket)
                        .text("/details/code/0/error"))
                .isEqualTo("ERR_TAKEN");
    }

    @Test
    void twoRequestsWithOneCodeAtOnceBeginOneSession() {
        String ticket = cookie(logIn(), "fanfare_login");
        String code = code();
        List<CompletableFuture<Response>> both = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> page("/api/v1/session/code", "code=" + code, "Cookie", ticket)))
                .limit(2)
                .toList();

        assertThat(both.stream().map(CompletableFuture::join).map(Response::status))
                .containsExactlyInAnyOrder(200, 422);
    }

    @Test
    void aRecoveryCodeOpensASessionOnce() {
        String ticket = cookie(logIn(), "fanfare_login");

        assertThat(page("/api/v1/session/code", "code=" + recoveryCodes.get(0), "Cookie", ticket)
                        .status())
                .isEqualTo(200);
        assertThat(page("/api/v1/session/code", "code=" + recoveryCodes.get(0), "Cookie", ticket)
                        .status())
                .isEqualTo(422);
        assertThat(api.get("/api/v1/factor", ann.token())
                        .json()
                        .at("/recovery_codes")
                        .asInt())
                .isEqualTo(9);
    }

    @Test
    void afterFiveWrongCodesTheAccountWaitsWhateverIsSent() {
        String ticket = cookie(logIn(), "fanfare_login");
        String wrong = code().equals("000000") ? "111111" : "000000";
        for (int i = 0; i < 5; i++) {
            assertThat(page("/api/v1/session/code", "code=" + wrong, "Cookie", ticket)
                            .status())
                    .isEqualTo(422);
        }

        Response refused = page("/api/v1/session/code", "code=" + code(), "Cookie", ticket);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).contains("900");
    }

    @Test
    void thePasswordGrantIsRefusedWithASentenceThatNamesTheOther() {
        Response refused = api.logIn(app, name, ApiServer.PASSWORD);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error")).isEqualTo("unauthorized_client");
        assertThat(refused.text("/error_description")).contains("/oauth/authorize", "authorization_code");
        assertThat(api.logIn(app, name, "wrong").text("/error"))
                .as("only the password tells it")
                .isEqualTo("invalid_grant");
    }

    @Test
    void aSignUpThatIsSentAgainOpensNothing() {
        String other = "eve" + NAMES.incrementAndGet();
        String[] form = {
            "username", other, "email", other + "@example.org", "password", ApiServer.PASSWORD, "agreement", "true"
        };
        Supplier<Response> signUp = () -> {
            StringBuilder body = new StringBuilder();
            for (int i = 0; i < form.length; i += 2) {
                body.append(i == 0 ? "" : "&").append(form[i]).append('=').append(encode(form[i + 1]));
            }
            return api.send(
                    "POST",
                    "/api/v1/accounts",
                    null,
                    "application/x-www-form-urlencoded",
                    body.toString(),
                    "Idempotency-Key",
                    other);
        };
        clock.ofRedis(Duration.ZERO);
        String token = signUp.get().text("/access_token");
        assertThat(signUp.get().status()).isEqualTo(200);
        secret = api.post("/api/v1/factor", token, "current_password", ApiServer.PASSWORD)
                .text("/secret");
        assertThat(api.post("/api/v1/factor/enable", token, "code", code()).status())
                .isEqualTo(200);

        assertThat(signUp.get().status()).isEqualTo(403);
    }

    @Test
    void anAppGetsItsTokenAfterTheSecondStepOfThePage() {
        Response form = ask();
        Response second = submit(form, "username", name, "password", ApiServer.PASSWORD);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).contains("autocomplete=\"one-time-code\"").doesNotContain("type=\"password\"");
        assertThat(hidden(second, "ticket")).isNotEmpty();

        Response wrong = submit(second, "code", "x");
        assertThat(wrong.status()).isEqualTo(403);
        Response approved = submit(wrong, "code", code());
        assertThat(approved.status()).as(approved.body()).isEqualTo(302);
        Matcher code = Pattern.compile("[?&]code=([^&]+)")
                .matcher(approved.header("Location").orElseThrow());
        assertThat(code.find()).isTrue();
        Response token = api.token(
                app,
                "grant_type",
                "authorization_code",
                "redirect_uri",
                CALLBACK,
                "code",
                URLDecoder.decode(code.group(1), StandardCharsets.UTF_8));
        assertThat(api.get("/api/v1/accounts/verify_credentials", token.text("/access_token"))
                        .text("/id"))
                .isEqualTo(ann.id());
        assertThat(changePassword(token.text("/access_token"), "another good password")
                        .status())
                .as("an app has confirmed nothing")
                .isEqualTo(403);
    }

    @Test
    void afterFiveWrongCodesThePageSaysHowLongToWait() {
        Response second = submit(ask(), "username", name, "password", ApiServer.PASSWORD);
        for (int i = 0; i < 5; i++) {
            assertThat(submit(second, "code", "x" + i).status()).isEqualTo(403);
        }

        Response refused = submit(second, "code", code());
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body()).contains("wait 15 minutes", "recovery code");
        assertThat(submit(refused, "code", recoveryCodes.get(0)).status()).isEqualTo(302);
    }

    @Test
    void aTicketOfThePageIsGoodInItsBrowserAndForItsAppOnly() {
        Response second = submit(ask(), "username", name, "password", ApiServer.PASSWORD);
        String ticket = hidden(second, "ticket");

        Response elsewhere = submit(ask(), "ticket", ticket, "code", code());
        assertThat(elsewhere.status()).isEqualTo(403);
        assertThat(elsewhere.body()).contains("took too long", "type=\"password\"");
        assertThat(page("/api/v1/session/code", "code=" + code(), "Cookie", "fanfare_login=" + ticket)
                        .status())
                .as("our own pages")
                .isEqualTo(401);
        assertThat(submit(second, "code", code()).status()).isEqualTo(302);
    }

    private static Response ask() {
        return api.get(
                "/oauth/authorize?response_type=code&client_id=" + app.text("/client_id")
                        + "&scope=read+write&redirect_uri=" + encode(CALLBACK),
                null);
    }

    private static String hidden(Response form, String field) {
        Matcher hidden = HIDDEN.matcher(form.body());
        while (hidden.find()) {
            if (hidden.group(1).equals(field)) {
                return hidden.group(2);
            }
        }
        return "";
    }

    private static Response submit(Response form, String... fields) {
        StringBuilder body = new StringBuilder("decision=approve");
        Matcher hidden = HIDDEN.matcher(form.body());
        while (hidden.find()) {
            body.append('&').append(hidden.group(1)).append('=').append(encode(hidden.group(2)));
        }
        for (int i = 0; i < fields.length; i += 2) {
            body.append('&').append(fields[i]).append('=').append(encode(fields[i + 1]));
        }
        return api.send(
                "POST",
                "/oauth/authorize",
                null,
                "application/x-www-form-urlencoded",
                body.toString(),
                "Cookie",
                cookie(form, "fanfare_form"));
    }

    private static Response changePassword(String token, String password) {
        return api.post(
                "/api/v1/accounts/password", token, "current_password", ApiServer.PASSWORD, "password", password);
    }

    private Response confirm(String token) {
        return api.post("/api/v1/factor/confirm", token, "code", code());
    }

    @Test
    void dangerousActsNeedACodeThatTheSessionHasGivenAShortWhileAgo() {
        clock.later(Duration.ofMinutes(30));
        List<Supplier<Response>> acts = List.of(
                () -> changePassword(ann.token(), ApiServer.PASSWORD + "r"),
                () -> api.post("/api/v1/accounts/delete", ann.token(), "current_password", ApiServer.PASSWORD));
        for (Supplier<Response> act : acts) {
            Response refused = act.get();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text("/details/code/0/error")).isEqualTo("ERR_CODE_NEEDED");
        }
        assertThat(api.post("/api/v1/accounts/delete", ann.token(), "current_password", "wrong")
                        .status())
                .as("the password comes first")
                .isEqualTo(422);

        assertThat(confirm(ann.token()).status()).isEqualTo(200);
        clock.later(Duration.ofMinutes(11));
        assertThat(acts.get(1).get().status()).as("too late").isEqualTo(403);
        assertThat(confirm(ann.token()).status()).isEqualTo(200);
        assertThat(acts.get(1).get().status()).isEqualTo(200);
    }

    @Test
    void ordinaryRequestsNeedNoCode() {
        clock.later(Duration.ofDays(1));

        assertThat(api.patchJson("/api/v1/accounts/update_credentials", ann.token(), "{\"note\":\"hello\"}")
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
    }

    @Test
    void aSessionThatBeganWithACodeIsConfirmed() {
        clock.later(Duration.ofMinutes(30));
        String ticket = cookie(logIn(), "fanfare_login");
        Response entered = page("/api/v1/session/code", "code=" + code(), "Cookie", ticket);

        assertThat(page(
                                "/api/v1/accounts/password",
                                "current_password=" + encode(ApiServer.PASSWORD) + "&password=another+good+password",
                                "Cookie",
                                cookie(entered, "fanfare_session"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void theFactorIsRemovedForPasswordAndCode() {
        assertThat(api.post("/api/v1/factor/disable", ann.token(), "current_password", "wrong", "code", code())
                        .text("/details/current_password/0/error"))
                .isEqualTo("ERR_INVALID");
        assertThat(api.post("/api/v1/factor/disable", ann.token(), "current_password", ApiServer.PASSWORD, "code", "1")
                        .text("/details/code/0/error"))
                .isEqualTo("ERR_INVALID");
        assertThat(api.get("/api/v1/factor", ann.token()).json().at("/enabled").asBoolean())
                .isTrue();

        assertThat(api.post(
                                "/api/v1/factor/disable",
                                ann.token(),
                                "current_password",
                                ApiServer.PASSWORD,
                                "code",
                                code())
                        .status())
                .isEqualTo(200);
        assertThat(cookie(logIn(), "fanfare_session")).isNotEmpty();
        assertThat(api.logIn(app, name, ApiServer.PASSWORD).status()).isEqualTo(200);
        assertThat(changePassword(ann.token(), "another good password").status())
                .isEqualTo(200);
    }

    @Test
    void aFactorIsAddedForThePasswordOnly() {
        User bob = signUp("bob" + NAMES.incrementAndGet());

        assertThat(api.post("/api/v1/factor", bob.token(), "current_password", "wrong")
                        .status())
                .isEqualTo(422);
        assertThat(api.post("/api/v1/factor/enable", bob.token(), "code", "000000")
                        .status())
                .isEqualTo(422);
        Response begun = api.post("/api/v1/factor", bob.token(), "current_password", ApiServer.PASSWORD);
        assertThat(begun.text("/uri"))
                .startsWith("otpauth://totp/" + URI.create(api.url()).getAuthority() + ":bob")
                .contains("secret=" + begun.text("/secret"), "period=30", "digits=6");
        assertThat(begun.text("/qr_path")).matches("(M\\d+ \\d+h\\d+v1h-\\d+z)+");
        assertThat(api.get("/api/v1/factor", bob.token()).json().at("/enabled").asBoolean())
                .as("before its first code")
                .isFalse();
        assertThat(api.logIn(app, "bob" + NAMES.get(), ApiServer.PASSWORD).status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/factor", ann.token(), "current_password", ApiServer.PASSWORD)
                        .status())
                .as("a second one")
                .isEqualTo(422);
    }

    @Test
    void newRecoveryCodesAreDrawnForACode() {
        Response drawn = api.post("/api/v1/factor/codes", ann.token(), "code", code());

        assertThat(drawn.json().at("/recovery_codes")).hasSize(10);
        assertThat(drawn.json().at("/recovery_codes/0").asText()).matches("([a-z2-7]{4}-){3}[a-z2-7]{4}");
        assertThat(drawn.body()).doesNotContain(recoveryCodes.get(0));
    }

    @Test
    void noAnswerAndNothingInRedisHasTheSecretOrARecoveryCode() {
        assertThat(api.get("/api/v1/factor", ann.token()).body()).doesNotContain(secret, recoveryCodes.get(0));
        String key = Keys.factor(Id.parse(ann.id()));
        List<String> stored = redis.askAt(key, "HGETALL", key).items().stream()
                .map(Reply::asString)
                .toList();
        assertThat(stored)
                .hasSizeGreaterThan(2 * RECOVERY_CODES)
                .noneMatch(field -> field.contains(secret) || field.contains(recoveryCodes.get(0)));
    }

    @Test
    void whereRolesNeedAFactorTheirPermissionsWaitForIt() {
        try (ApiServer strict = new ApiServer(redis, clock, "auth.second-factor-required=moderators")) {
            User mod = moderator(Role.MODERATOR);
            Supplier<Response> act = () -> strict.get("/api/v1/admin/accounts", mod.token());

            Response refused = act.get();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text("/error")).contains("second factor");
            assertThat(strict.get("/api/v1/admin/ip_blocks", mod.token()).status())
                    .isEqualTo(403);
            assertThat(strict.post("/api/v1/admin/selections", mod.token(), "usernames[]", ann.name())
                            .status())
                    .isEqualTo(403);
            assertThat(strict.post("/api/v1/invitations", mod.token(), "max_uses", "1")
                            .status())
                    .isEqualTo(403);
            assertThat(strict.get("/api/v1/factor", mod.token())
                            .json()
                            .at("/required")
                            .asBoolean())
                    .isTrue();
            assertThat(strict.get("/api/v1/factor", ann.token())
                            .json()
                            .at("/required")
                            .asBoolean())
                    .as("an account without a role")
                    .isFalse();
            assertThat(sessionOf(strict, mod).json().at("/needs_factor").asBoolean())
                    .isTrue();
            enroll(mod);
            assertThat(act.get().status()).isEqualTo(200);
        }
    }

    @Test
    void whereEverybodyNeedsAFactorALogInSaysSoAndAppsStillWork() {
        try (ApiServer strict = new ApiServer(redis, clock, "auth.second-factor-required=everyone")) {
            User bob = signUp("bob" + NAMES.incrementAndGet());

            assertThat(sessionOf(strict, bob).json().at("/needs_factor").asBoolean())
                    .isTrue();
            assertThat(strict.get("/api/v1/timelines/home", bob.token()).status())
                    .isEqualTo(200);
            assertThat(strict.logIn(app, bob.name(), ApiServer.PASSWORD).status())
                    .isEqualTo(200);
            assertThat(sessionOf(api, bob).json().has("needs_factor"))
                    .as("on a server that does not want it")
                    .isFalse();
        }
    }

    private static Response sessionOf(ApiServer server, User user) {
        return server.send(
                "POST",
                "/api/v1/session",
                null,
                "application/x-www-form-urlencoded",
                "username=" + user.name() + "&password=" + encode(ApiServer.PASSWORD),
                PAGE,
                "1");
    }

    private static User moderator(Role role) {
        clock.ofRedis(Duration.ZERO);
        User mod = Moderators.signUp(api, "mod" + NAMES.incrementAndGet());
        Moderators.promote(redis, mod, role);
        return mod;
    }

    private void enroll(User user) {
        secret = api.post("/api/v1/factor", user.token(), "current_password", ApiServer.PASSWORD)
                .text("/secret");
        assertThat(api.post("/api/v1/factor/enable", user.token(), "code", code())
                        .status())
                .isEqualTo(200);
        clock.later(Duration.ofMinutes(1));
    }

    /** Suspensions send warnings, which have ids: so what is confirmed is confirmed in the past. */
    @Test
    void rolesAndSuspensionsNeedACodeOfThoseWhoHaveAFactor() {
        User owner = moderator(Role.OWNER);
        User target = signUp("target" + NAMES.incrementAndGet());
        User other = signUp("target" + NAMES.incrementAndGet());
        String path = "/api/v1/admin/accounts/";
        Supplier<Response> role = () -> api.send(
                "PUT",
                path + other.id() + "/role",
                owner.token(),
                "application/x-www-form-urlencoded",
                "role=moderator");
        Supplier<Response> limit = () -> api.post(path + target.id() + "/action", owner.token(), "type", "silence");
        Supplier<Response> suspend = () -> api.post(path + target.id() + "/action", owner.token(), "type", "suspend");
        clock.ofRedis(Duration.ofHours(2));
        enroll(owner);
        clock.ofRedis(Duration.ZERO);
        String many = api.post("/api/v1/admin/selections", owner.token(), "usernames[]", other.name())
                .text("/id");
        assertThat(api.post("/api/v1/admin/selections/" + many + "/act", owner.token(), "type", "suspend")
                        .text("/details/code/0/error"))
                .as("many at once")
                .isEqualTo("ERR_CODE_NEEDED");
        assertThat(role.get().text("/details/code/0/error")).isEqualTo("ERR_CODE_NEEDED");
        assertThat(suspend.get().status()).isEqualTo(403);
        assertThat(limit.get().status()).as("what is easily taken back").isEqualTo(200);

        clock.ofRedis(Duration.ofMinutes(50));
        assertThat(confirm(owner.token()).status()).isEqualTo(200);
        clock.ofRedis(Duration.ZERO);
        assertThat(role.get().status()).as("more than ten minutes later").isEqualTo(403);
        assertThat(suspend.get().status()).as("within the hour").isEqualTo(200);

        assertThat(confirm(owner.token()).status()).isEqualTo(200);
        assertThat(role.get().status()).isEqualTo(200);
        clock.later(Duration.ofMinutes(61));
        Supplier<Response> delete = () -> api.delete(path + target.id(), owner.token());
        assertThat(delete.get().status()).as("more than an hour later").isEqualTo(403);
        assertThat(confirm(owner.token()).status()).isEqualTo(200);
        assertThat(delete.get().status()).isEqualTo(200);
    }
}
