package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.http.SessionCookie;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log-ins of each kind request a mail when they come from a new place. */
class SignInNoticeTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String OOB = "urn:ietf:wg:oauth:2.0:oob";
    private static final String PASSWORD = URLEncoder.encode(ApiServer.PASSWORD, StandardCharsets.UTF_8);
    private static final String[] MAIL =
            ApiServer.mail("http.trusted-proxies=127.0.0.1", "http.public-url=https://social.example");

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer api;
    private User ann;

    @BeforeEach
    void open() {
        redis.flush();
        api = new ApiServer(redis, MAIL);
        ann = api.signUp("ann");
        String user = Keys.user(id());
        redis.askAt(user, "HDEL", user, "unconfirmed");
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
                .filter(line -> line.asString().contains(" mail.1 " + ann.id() + " sign_in "))
                .count();
    }

    private long places() {
        return redis.askAt(Keys.signIns(id()), "HLEN", Keys.signIns(id())).asLong();
    }

    private void await(long places, long mails) {
        TestRedis.awaitUntil(places + " places and " + mails + " mails", () -> places() == places && mails() == mails);
    }

    private void logInHere(ApiServer server, String address) {
        Response in = server.send(
                "POST",
                "/api/v1/session",
                null,
                FORM,
                "username=ann&password=" + PASSWORD,
                SessionCookie.PAGE_HEADER.toString(),
                "1",
                "X-Forwarded-For",
                address);
        assertThat(in.status()).as(in.body()).isEqualTo(200);
    }

    @Test
    void aSessionOfTheWebClientFromANewNetworkIsMailedOnce() {
        await(1, 0);

        logInHere(api, "192.0.2.1");
        await(2, 1);
        logInHere(api, "192.0.2.77");
        logInHere(api, "198.51.100.1");

        await(3, 2);
    }

    @Test
    void anAppThatTakesThePasswordIsAPlaceOfItsOwn() {
        Response app = api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", OOB, "scopes", "read");
        assertThat(api.logIn(app, "ann", "not the password").status()).isEqualTo(400);
        assertThat(api.logIn(app, "ann", ApiServer.PASSWORD).status()).isEqualTo(200);
        await(2, 1);
        assertThat(api.logIn(app, "ann", ApiServer.PASSWORD).status()).isEqualTo(200);
        logInHere(api, "192.0.2.1");

        await(3, 2);
    }

    @Test
    void theBrowserThatLetsAnAppInIsAPlaceWhateverTheApp() {
        await(1, 0);
        for (String name : List.of("one", "two")) {
            Response app = api.post("/api/v1/apps", null, "client_name", name, "redirect_uris", OOB, "scopes", "read");
            String query = "client_id=" + app.text("/client_id") + "&response_type=code&redirect_uri=" + OOB;
            Response form =
                    api.send("GET", "/oauth/authorize?" + query, null, null, null, "X-Forwarded-For", "192.0.2.1");
            String token = form.body().replaceAll("(?s).*name=\"form_token\" value=\"([^\"]+)\".*", "$1");
            Response shown = api.send(
                    "POST",
                    "/oauth/authorize",
                    null,
                    FORM,
                    query + "&decision=approve&username=ann&form_token=" + token + "&password=" + PASSWORD,
                    "Cookie",
                    form.header("Set-Cookie").orElseThrow().split(";", -1)[0],
                    "X-Forwarded-For",
                    "192.0.2.1");
            assertThat(shown.body()).contains("Copy this code");
        }
        logInHere(api, "192.0.2.1");

        await(2, 1);
    }

    @Test
    void withoutTheSettingAndWithoutMailsNoPlaceIsNoted() {
        await(1, 0);
        String[] off = ApiServer.with(MAIL, "mail.sign-in-notices=false");
        try (ApiServer quiet = new ApiServer(redis, off);
                ApiServer without = new ApiServer(redis, "http.trusted-proxies=127.0.0.1")) {
            logInHere(quiet, "192.0.2.1");
            logInHere(without, "198.51.100.1");
        }
        logInHere(api, "203.0.113.1");

        await(2, 1);
    }
}
