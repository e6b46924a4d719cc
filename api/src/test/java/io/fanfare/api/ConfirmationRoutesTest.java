package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New accounts confirm their addresses. */
class ConfirmationRoutesTest {
    private static final String[] MAIL = {
        "limits.enabled=true",
        "mail.host=127.0.0.1",
        "mail.port=1",
        "mail.tls=off",
        "mail.from=fanfare@example.org",
        "http.public-url=https://social.example"
    };

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
}
