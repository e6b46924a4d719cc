package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.http.SessionCookie;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New accounts confirm their addresses. */
class ConfirmationRoutesTest {
    private static final String[] MAIL =
            ApiServer.mail("limits.enabled=true", "http.public-url=https://social.example");

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer api;
    private User ann;

    @BeforeEach
    void open() {
        redis.flush();
        api = new ApiServer(redis, MAIL);
        ann = api.signUp("ann");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private long id() {
        return Long.parseLong(ann.id());
    }

    private long mails() {
        String lane = Keys.lane(Id.shard(id()), "low");
        return redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                .filter(line -> line.asString().contains(" mail.1 " + ann.id() + " confirm 0 "))
                .count();
    }

    private void awaitMails(long count) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> mails() == count);
    }

    private String link() {
        String token = Mails.token(id(), "a-secret-of-a-mail");
        TestRedis.await(RedisLink.open(api.vertx, redis.options()).compose(link -> new Mails(link)
                .link(id(), MailKind.CONFIRM, System.currentTimeMillis(), token)
                .eventually(link::close)));
        return token;
    }

    private String check() {
        return api.get("/api/v1/emails/check_confirmation", ann.token()).body();
    }

    private Response sendAgain() {
        return api.post("/api/v1/emails/confirmations", ann.token());
    }

    private Response confirm(String token) {
        return api.post("/auth/confirmation", null, "token", token);
    }

    @Test
    void aSignUpSendsAMailAndTheButtonOfItsLinkConfirmsTheAddress() {
        awaitMails(1);
        assertThat(check()).isEqualTo("false");
        String token = link();

        Response page = api.get("/auth/confirmation?token=" + token, null);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("value=\"" + token + "\"");
        assertThat(check()).as("after the link was opened").isEqualTo("false");

        assertThat(confirm(token).status()).isEqualTo(200);
        assertThat(check()).isEqualTo("true");
        assertThat(confirm(token).status()).isEqualTo(404);
        assertThat(api.get("/auth/confirmation?token=" + token, null).status()).isEqualTo(404);
        assertThat(sendAgain().status()).as("a confirmed address").isEqualTo(403);
    }

    @Test
    void anAppRequestsTheMailAgainThreeTimesInAnHour() {
        awaitMails(1);
        for (int i = 0; i < 3; i++) {
            assertThat(sendAgain().status()).isEqualTo(200);
        }

        assertThat(sendAgain().status()).isEqualTo(429);
        awaitMails(4);
    }

    @Test
    void aLinkOfAnAddressDoesNotConfirmAnother() {
        String token = link();
        redis.askAt(Keys.user(id()), "HSET", Keys.user(id()), "email", "b@example.org", "unconfirmed", "1");

        assertThat(confirm(token).status()).isEqualTo(404);
        assertThat(check()).isEqualTo("false");
    }

    @Test
    void aLinkOfOneKindIsGoodForNoOther() {
        String token = link();

        assertThat(api.get("/auth/password/edit?token=" + token, null).status()).isEqualTo(404);
        assertThat(api.post("/auth/password/edit", null, "token", token, "password", "a battery of horses")
                        .status())
                .isEqualTo(404);
        assertThat(confirm(token).status()).isEqualTo(200);
    }

    @Test
    void whereNoMailsAreSentNoAddressWaits() {
        try (ApiServer without = new ApiServer(redis)) {
            User bob = without.signUp("bob");

            assertThat(without.get("/api/v1/emails/check_confirmation", bob.token())
                            .body())
                    .isEqualTo("true");
            assertThat(without.post("/api/v1/emails/confirmations", bob.token()).status())
                    .isEqualTo(403);
            String user = Keys.user(Long.parseLong(bob.id()));
            assertThat(redis.askAt(user, "HEXISTS", user, "unconfirmed").asLong())
                    .isZero();
        }
    }

    @Test
    void whereAConfirmationIsRequiredATokenIsGoodForTheTwoCallsUntilThen() {
        String[] required = ApiServer.with(MAIL, "mail.require-confirmation=true");
        try (ApiServer strict = new ApiServer(redis, required)) {
            User bob = strict.signUp("bob");
            long id = redis.askAt(Keys.login("bob"), "GET", Keys.login("bob")).asLong();
            Response app = strict.post(
                    "/api/v1/apps",
                    null,
                    "client_name",
                    "x",
                    "redirect_uris",
                    "urn:ietf:wg:oauth:2.0:oob",
                    "scopes",
                    "read");
            String other = strict.logIn(app, "bob", ApiServer.PASSWORD)
                    .json()
                    .get("access_token")
                    .asText();

            for (String token : List.of(bob.token(), other)) {
                Response refused = strict.get("/api/v1/timelines/home", token);
                assertThat(refused.status()).isEqualTo(403);
                assertThat(refused.json().get("error").asText())
                        .isEqualTo("Your login is missing a confirmed e-mail address");
                assertThat(strict.get("/api/v1/emails/check_confirmation", token)
                                .body())
                        .isEqualTo("false");
            }
            assertThat(strict.post("/api/v1/emails/confirmations", bob.token()).status())
                    .isEqualTo(200);
            assertThat(strict.get("/api/v1/timelines/home", ann.token()).status())
                    .as("an account from before")
                    .isEqualTo(200);
            assertThat(strict.get("/api/v1/emails/check_confirmation", bob.token() + "x")
                            .status())
                    .isEqualTo(401);

            String token = Mails.token(id, "a-secret-of-bob");
            TestRedis.await(RedisLink.open(strict.vertx, redis.options()).compose(link -> new Mails(link)
                    .link(id, MailKind.CONFIRM, System.currentTimeMillis(), token)
                    .eventually(link::close)));
            assertThat(strict.post("/auth/confirmation", null, "token", token).status())
                    .isEqualTo(200);

            Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                assertThat(strict.get("/api/v1/timelines/home", bob.token()).status())
                        .isEqualTo(200);
                assertThat(strict.get("/api/v1/timelines/home", other).status()).isEqualTo(200);
            });
        }
    }

    @Test
    void whereAConfirmationIsRequiredNoSessionOfTheWebClientBeginsBefore() {
        String[] required = ApiServer.with(MAIL, "mail.require-confirmation=true");
        try (ApiServer strict = new ApiServer(redis, required)) {
            Response signedUp = page(strict, "/api/v1/session/sign_up", "&email=bea@example.org&agreement=true");
            assertThat(signedUp.status()).as(signedUp.body()).isEqualTo(200);
            assertThat(signedUp.json().get("account").isNull()).isTrue();
            assertThat(signedUp.json().get("unconfirmed").asBoolean()).isTrue();
            Response loggedIn = page(strict, "/api/v1/session", "");
            assertThat(loggedIn.status()).isEqualTo(403);
            assertThat(loggedIn.json().get("error").asText()).contains("confirmed e-mail address");
        }
    }

    private static Response page(ApiServer server, String path, String more) {
        return server.send(
                "POST",
                path,
                null,
                "application/x-www-form-urlencoded",
                "username=bea&password=" + URLEncoder.encode(ApiServer.PASSWORD, StandardCharsets.UTF_8) + more,
                SessionCookie.PAGE_HEADER.toString(),
                "1");
    }

    @Test
    void aTokenOfAHeldAccountIsSuspendedRestoredListedAndRevokedLikeAnyOther() {
        String[] required = ApiServer.with(MAIL, "mail.require-confirmation=true");
        try (ApiServer strict = new ApiServer(redis, required)) {
            strict.signUp("bob");
            long id = redis.askAt(Keys.login("bob"), "GET", Keys.login("bob")).asLong();
            TestRedis.await(RedisLink.open(strict.vertx, redis.options()).compose(link -> {
                AccountAccess access = new AccountAccess(link);
                return access.suspend(id)
                        .compose(done -> access.list(id))
                        .onSuccess(listed -> assertThat(listed)
                                .allMatch(token -> token.tokenId().matches("[A-Za-z0-9_-]+"))
                                .isNotEmpty())
                        .compose(listed -> access.unsuspend(id))
                        .eventually(link::close);
            }));

            assertThat(redis.askAt(Keys.tokens(id), "HKEYS", Keys.tokens(id)).items())
                    .isNotEmpty()
                    .allMatch(token -> token.asString().startsWith("%"));
        }
    }
}
