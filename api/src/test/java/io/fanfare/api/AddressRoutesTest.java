package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody changes the e-mail address of their account. */
class AddressRoutesTest {
    private static final String PATH = "/api/v1/accounts/email";
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
        redis.askAt(user(), "HDEL", user(), "unconfirmed");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private long id() {
        return Long.parseLong(ann.id());
    }

    private String user() {
        return Keys.user(id());
    }

    private String address() {
        return redis.askAt(user(), "HGET", user(), "email").asString();
    }

    private static Response change(ApiServer api, String token, String address, String password) {
        return api.post(PATH, token, "email", address, "current_password", password);
    }

    private Response change(String address) {
        return change(api, ann.token(), address, ApiServer.PASSWORD);
    }

    /** The token of a link, as a worker makes it for the newest mail in the lane of the account. */
    private String link(MailKind kind) {
        String lane = Keys.lane(Id.shard(id()), "low");
        String line = redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                .map(Reply::asString)
                .filter(one -> one.contains(" mail.1 " + ann.id() + " " + kind.wire() + " "))
                .findFirst()
                .orElseThrow();
        long made = Long.parseLong(line.split(" ", -1)[7]);
        String token = Mails.token(id(), "a-secret-" + made + kind);
        boolean stored =
                TestRedis.await(RedisLink.open(api.vertx, redis.options()).compose(link -> new Mails(link)
                        .link(id(), kind, made, token)
                        .map(Optional::isPresent)
                        .eventually(link::close)));
        assertThat(stored).isTrue();
        return token;
    }

    private Response get(String path) {
        return api.get(path, null);
    }

    private Response press(String path, String token) {
        return api.post(path, null, "token", token);
    }

    @Test
    void anAddressChangesWhenTheLinkIsFollowedAndTheFormerOneIsRestoredByItsNotice() {
        assertThat(api.get(PATH, ann.token()).text("/email")).isEqualTo("a…@example.org");
        assertThat(change("New@Example.org").status()).isEqualTo(200);
        assertThat(address()).isEqualTo("ann@example.org");
        assertThat(api.get(PATH, ann.token()).text("/wanted")).isEqualTo("n…@example.org");

        String token = link(MailKind.NEW_ADDRESS);
        assertThat(get("/auth/confirmation?token=" + token).body()).contains("value=\"" + token + "\"");
        assertThat(address()).as("after the link was opened").isEqualTo("ann@example.org");
        assertThat(press("/auth/confirmation", token).status()).isEqualTo(200);
        assertThat(address()).isEqualTo("new@example.org");
        assertThat(press("/auth/confirmation", token).status()).isEqualTo(404);
        assertThat(api.get(PATH, ann.token()).text("/fixed_until")).isNotEmpty();
        assertThat(change("third@example.org").status()).as("a second change").isEqualTo(403);

        String notice = link(MailKind.ADDRESS_CHANGED);
        assertThat(press("/auth/confirmation", notice).status())
                .as("a link of another kind")
                .isEqualTo(404);
        assertThat(get("/auth/address?token=" + notice).body()).contains("value=\"" + notice + "\"");
        assertThat(address()).isEqualTo("new@example.org");
        redis.askAt("{meta}", "HSET", "{meta}", "read-only", "1700000000000");
        TestRedis.awaitUntil(
                "it is read-only",
                () -> api.post("/api/v1/statuses", ann.token(), "status", "x").status() == 503);
        assertThat(press("/auth/address", notice).status()).isEqualTo(200);
        assertThat(address()).isEqualTo("ann@example.org");
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token()).status())
                .isEqualTo(401);
        assertThat(press("/auth/address", notice).status()).isEqualTo(404);
        assertThat(get("/auth/address?token=" + notice).status()).isEqualTo(404);
    }

    @Test
    void aChangeNeedsThePasswordAndAnAddressThatNobodyHas() {
        User bob = api.signUp("bob");

        assertThat(change(api, ann.token(), "new@example.org", "not the password")
                        .text("/details/current_password/0/error"))
                .isEqualTo("ERR_INVALID");
        assertThat(change("bob@example.org").text("/details/email/0/error")).isEqualTo("ERR_TAKEN");
        assertThat(change("ann@example.org").text("/details/email/0/error")).isEqualTo("ERR_TAKEN");
        assertThat(change("no address").text("/details/email/0/error")).isEqualTo("ERR_INVALID");
        assertThat(change("a".repeat(300) + "@example.org").status()).isEqualTo(422);
        assertThat(api.get(PATH, ann.token()).json().get("wanted").isNull()).isTrue();
        assertThat(bob.id()).isNotEqualTo(ann.id());
    }

    @Test
    void threeMailsAnHourGoToAnAddressAndAnAccountWantsTenADay() {
        for (int i = 0; i < 3; i++) {
            assertThat(change("new@example.org").status()).isEqualTo(200);
        }
        assertThat(change("new@example.org").status()).isEqualTo(429);
        for (int i = 0; i < 6; i++) {
            assertThat(change("new" + i + "@example.org").status()).isEqualTo(200);
        }

        Response refused = change("last@example.org");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("/error")).contains("changes of the e-mail address: at most 10 in 24 hours");
    }

    @Test
    void aBlockedMailDomainIsNoNewAddress() {
        User mod = Moderators.signUp(api, "mia");
        Moderators.promote(redis, mod, Role.MODERATOR);
        assertThat(api.post("/api/v1/admin/email_domain_blocks", mod.token(), "domain", "spam.example")
                        .status())
                .isEqualTo(200);

        // A process that has read the block.
        try (ApiServer other = new ApiServer(redis, MAIL)) {
            Response refused = change(other, ann.token(), "ann@mail.spam.example", ApiServer.PASSWORD);

            assertThat(refused.status()).as(refused.body()).isEqualTo(422);
            assertThat(refused.text("/details/email/0/error")).isEqualTo("ERR_BLOCKED");
        }
    }

    @Test
    void whereNoMailsAreSentTheAddressChangesAtOnce() {
        try (ApiServer without = new ApiServer(redis)) {
            assertThat(change(without, ann.token(), "new@example.org", ApiServer.PASSWORD)
                            .status())
                    .isEqualTo(200);

            assertThat(address()).isEqualTo("new@example.org");
            assertThat(without.get(PATH, ann.token()).json().get("fixed_until").isNull())
                    .isTrue();
            Response app = without.post(
                    "/api/v1/apps",
                    null,
                    "client_name",
                    "x",
                    "redirect_uris",
                    "urn:ietf:wg:oauth:2.0:oob",
                    "scopes",
                    "read");
            assertThat(without.logIn(app, "new@example.org", ApiServer.PASSWORD).status())
                    .isEqualTo(200);
            assertThat(without.logIn(app, "ann@example.org", ApiServer.PASSWORD).status())
                    .isEqualTo(400);
        }
    }

    @Test
    void anAppCorrectsTheAddressOfASignUpByTheLinkThatGoesThere() {
        String[] required = ApiServer.with(MAIL, "mail.require-confirmation=true");
        try (ApiServer strict = new ApiServer(redis, required)) {
            ann = strict.signUp("cleo");
            String id =
                    redis.askAt(Keys.login("cleo"), "GET", Keys.login("cleo")).asString();
            ann = new User(id, "cleo", ann.token());
            Response corrected = strict.post("/api/v1/emails/confirmations", ann.token(), "email", "right@example.org");
            assertThat(corrected.status()).as(corrected.body()).isEqualTo(200);
            assertThat(address()).isEqualTo("cleo@example.org");
            assertThat(strict.post("/api/v1/emails/confirmations", ann.token()).status())
                    .as("the same mail again")
                    .isEqualTo(200);

            assertThat(strict.post("/auth/confirmation", null, "token", link(MailKind.NEW_ADDRESS))
                            .status())
                    .isEqualTo(200);

            assertThat(address()).isEqualTo("right@example.org");
            TestRedis.awaitUntil(
                    "its token is good",
                    () -> strict.get("/api/v1/timelines/home", ann.token()).status() == 200);
            assertThat(strict.post("/api/v1/emails/confirmations", ann.token(), "email", "x@example.org")
                            .status())
                    .as("a confirmed address")
                    .isEqualTo(403);
            assertThat(redis.keys()).doesNotContain(Keys.email("cleo@example.org"));
        }
    }

    @Test
    void aTokenAloneDoesNotCorrectTheAddressOfAnAccountThatWorksForADay() {
        long day = 24 * 3600 * 1000L;
        redis.askAt(user(), "HSET", user(), "unconfirmed", Long.toString(System.currentTimeMillis() - day / 2));
        assertThat(api.post("/api/v1/emails/confirmations", ann.token(), "email", "no address")
                        .status())
                .isEqualTo(422);
        assertThat(api.post("/api/v1/emails/confirmations", ann.token(), "email", "right@example.org")
                        .status())
                .isEqualTo(200);

        redis.askAt(user(), "HSET", user(), "unconfirmed", Long.toString(System.currentTimeMillis() - 2 * day));

        assertThat(api.post("/api/v1/emails/confirmations", ann.token(), "email", "other@example.org")
                        .text("/error"))
                .contains("with its password");
    }
}
