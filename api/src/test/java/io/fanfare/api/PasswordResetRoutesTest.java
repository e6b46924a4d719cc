package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages by which a forgotten password is reset. */
class PasswordResetRoutesTest {
    private static final String NEW_PASSWORD = "a battery of horses";
    private static final String[] MAIL =
            ApiServer.mail("limits.enabled=true", "http.public-url=https://social.example/below");

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

    private Response request(String address, String... headers) {
        return api.send(
                "POST",
                "/auth/password",
                null,
                "application/x-www-form-urlencoded",
                "email=" + address.replace("@", "%40"),
                headers);
    }

    private Response reset(String token, String password) {
        return api.send(
                "POST",
                "/auth/password/edit",
                null,
                "application/x-www-form-urlencoded",
                "token=" + token + "&password=" + password.replace(" ", "+"));
    }

    private long id() {
        return Long.parseLong(ann.id());
    }

    private String lane() {
        return Keys.lane(Id.shard(id()), "low");
    }

    /** Jobs of mails, the newest first, without those of the sign-up. */
    private List<String> jobs() {
        return redis.askAt(lane(), "LRANGE", lane(), "0", "-1").items().stream()
                .map(Reply::asString)
                .filter(line -> line.contains(" mail.1 ") && !line.contains(" confirm "))
                .toList();
    }

    private String newest() {
        return jobs().get(0);
    }

    private long mails() {
        return jobs().size();
    }

    private void awaitMails(long count) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> mails() == count);
    }

    /** A link as the worker makes one. */
    private String link() {
        String token = Mails.token(id(), "a-secret-of-a-mail");
        ask(mails -> mails.link(id(), MailKind.RESET, System.currentTimeMillis(), token));
        return token;
    }

    @CanIgnoreReturnValue
    private <T> T ask(Function<Mails, Future<T>> question) {
        return TestRedis.await(RedisLink.open(api.vertx, redis.options())
                .compose(link -> question.apply(new Mails(link)).eventually(link::close)));
    }

    @Test
    void aRequestEnqueuesAMailInTheLanguageOfTheBrowser() {
        Response page = request("Ann@example.org", "Accept-Language", "zh-CN,en;q=0.5");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("<html lang=\"zh\">", "如果有帐户使用该地址");
        awaitMails(1);
        assertThat(newest()).contains(" mail.1 " + ann.id() + " reset 0 ").endsWith(" zh");
    }

    @Test
    void theAnswerIsTheSameWhetherOrNotAnAccountHasTheAddress() {
        String known = request("ann@example.org").body();
        String unknown = request("nobody@example.org").body();

        assertThat(unknown).isEqualTo(known);
        awaitMails(1);
    }

    @Test
    void threeMailsInAnHourGoToAnAddressAndTheAnswerStaysTheSame() {
        String first = request("ann@example.org").body();
        for (int i = 0; i < 5; i++) {
            Response page = request("ann@example.org");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).isEqualTo(first);
        }
        // The next mail is enqueued behind all former ones.
        User bob = api.signUp("bob");
        String lane = Keys.lane(Id.shard(Long.parseLong(bob.id())), "low");
        assertThat(request("bob@example.org").status()).isEqualTo(200);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                        .anyMatch(line -> line.asString().contains(" mail.1 " + bob.id() + " reset ")));

        assertThat(redis.askAt(lane(), "LRANGE", lane(), "0", "-1").items().stream()
                        .filter(line -> line.asString().contains(" mail.1 " + ann.id() + " reset ")))
                .hasSize(3);
    }

    @Test
    void anAddressOfTheNetworkMayRequestTenMailsInAnHour() {
        for (int i = 0; i < 10; i++) {
            assertThat(request("user" + i + "@example.org").status()).isEqualTo(200);
        }

        assertThat(request("user11@example.org").status()).isEqualTo(429);
    }

    @Test
    void aTextThatIsNoAddressIsRefusedOnTheForm() {
        Response page = request("%22%3E%3Cscript%3E");

        assertThat(page.status()).isEqualTo(422);
        assertThat(page.body())
                .contains("This is no e-mail address.", "&lt;script&gt;")
                .doesNotContain("<script>");
    }

    @Test
    void aLinkOpensAFormAndGivesAnotherPasswordOnce() {
        String token = link();

        Response form = api.get("/auth/password/edit?token=" + token, null);
        assertThat(form.status()).isEqualTo(200);
        assertThat(form.body()).contains("action=\"/below/auth/password/edit\"", "value=\"" + token + "\"");
        assertThat(form.raw().headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(form.raw().headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token()).status())
                .as("opening the link changes nothing")
                .isEqualTo(200);

        assertThat(reset(token, NEW_PASSWORD).status()).isEqualTo(200);

        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token()).status())
                .as("a token of before")
                .isEqualTo(401);
        assertThat(reset(token, "yet another battery").status()).isEqualTo(404);
        assertThat(api.get("/auth/password/edit?token=" + token, null).status()).isEqualTo(404);
        Response app = api.post(
                "/api/v1/apps",
                null,
                "client_name",
                "x",
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                "read");
        assertThat(api.logIn(app, "ann", NEW_PASSWORD).status()).isEqualTo(200);
        assertThat(api.logIn(app, "ann", ApiServer.PASSWORD).status()).isEqualTo(400);
        awaitMails(1);
        assertThat(newest()).contains(" password_changed 0 ");
    }

    @Test
    void aPasswordThatIsNotAcceptableLeavesTheLinkGood() {
        String token = link();

        Response page = reset(token, "ann@example.org");
        assertThat(page.status()).isEqualTo(422);
        assertThat(page.body()).contains("is your user name or e-mail address", "value=\"" + token + "\"");
        assertThat(reset(token, "short").status()).isEqualTo(422);

        assertThat(reset(token, NEW_PASSWORD).status()).isEqualTo(200);
    }

    @Test
    void ofTwoResetsAtOnceOneWins() {
        String token = link();

        Future<Integer> one =
                api.vertx.executeBlocking(() -> reset(token, "the first of two").status(), false);
        Future<Integer> other = api.vertx.executeBlocking(
                () -> reset(token, "the second of two").status(), false);

        assertThat(List.of(TestRedis.await(one), TestRedis.await(other))).containsExactlyInAnyOrder(200, 404);
    }

    @Test
    void aSuspendedAccountIsNotOpenedByALink() {
        String token = link();
        redis.askAt(Keys.user(id()), "HSET", Keys.user(id()), "state", "suspended");

        assertThat(reset(token, NEW_PASSWORD).status()).isEqualTo(404);
        assertThat(request("ann@example.org").status()).isEqualTo(200);
    }

    @Test
    void aTokenIsNotInRedisAsItIsAndItsLinkLeavesWithItsUse() {
        String token = link();
        String links = Keys.mailLinks(id());

        assertThat(redis.askAt(links, "HGETALL", links).items()).isNotEmpty().noneMatch(field -> field.asString()
                .contains("a-secret-of-a-mail"));
        assertThat(reset(token, NEW_PASSWORD).status()).isEqualTo(200);
        assertThat(redis.askAt(links, "EXISTS", links).asLong()).isZero();
    }

    @Test
    void aForgottenPasswordIsResetOnASiteThatIsReadOnly() {
        redis.askAt("{meta}", "HSET", "{meta}", "read-only", "1700000000000");
        TestRedis.awaitUntil(
                "it is read-only",
                () -> api.post("/api/v1/statuses", ann.token(), "status", "x").status() == 503);

        assertThat(request("ann@example.org").status()).isEqualTo(200);
        Awaitility.await().until(() -> jobs().size() == 1);
        assertThat(reset(link(), NEW_PASSWORD).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token()).status())
                .as("the former sessions have ended")
                .isEqualTo(401);
    }

    @Test
    void withoutAMailServerThePagesSayWhomToAsk() {
        try (ApiServer without = new ApiServer(redis)) {
            Response page = without.get("/auth/password/new", null);
            assertThat(page.status()).isEqualTo(404);
            assertThat(page.body()).contains("This server sends no mails");
            assertThat(without.post("/auth/password", null, "email", "ann@example.org")
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void theLogInOfAppsLeadsToTheForm() {
        Response app = api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "https://app.example/back");
        String id = app.json().get("client_id").asText();

        assertThat(api.get(
                                "/oauth/authorize?response_type=code&redirect_uri=https://app.example/back&client_id="
                                        + id,
                                null)
                        .body())
                .contains("<a href=\"/below/auth/password/new\">Forgot password?</a>");
    }
}
