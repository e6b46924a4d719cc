package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.PushReceiver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscribing, of one access token at a time. */
class PushRoutesTest extends OnEveryRedis {
    private static final String PATH = "/api/v1/push/subscription";
    private static final String ENDPOINT = "https://push.example.com/send/abc?x=1";
    private static final PushReceiver RECEIVER = new PushReceiver();

    @CanIgnoreReturnValue
    private static Response subscribe(User user, String endpoint, String... more) {
        String[] form = new String[6 + more.length];
        form[0] = "subscription[endpoint]";
        form[1] = endpoint;
        form[2] = "subscription[keys][p256dh]";
        form[3] = RECEIVER.p256dh();
        form[4] = "subscription[keys][auth]";
        form[5] = RECEIVER.auth();
        System.arraycopy(more, 0, form, 6, more.length);
        return api.post(PATH, user.token(), form);
    }

    @Test
    void aClientSubscribesChangesAndUnsubscribes() {
        User ann = api.signUp("ann");
        assertThat(api.get(PATH, ann.token()).status()).isEqualTo(404);
        assertThat(api.send("PUT", PATH, ann.token(), null, null).status()).isEqualTo(404);

        Response made = subscribe(
                ann,
                ENDPOINT,
                "data[alerts][mention]",
                "true",
                "data[alerts][admin.sign_up]",
                "1",
                "data[policy]",
                "followed",
                "subscription[standard]",
                "true");

        assertThat(made.status()).isEqualTo(200);
        assertThat(made.json().get("id").isInt()).isTrue();
        assertThat(made.text("/endpoint")).isEqualTo(ENDPOINT);
        assertThat(made.json().at("/standard").asBoolean()).isTrue();
        assertThat(made.json().at("/alerts/mention").asBoolean()).isTrue();
        assertThat(made.json().at("/alerts/admin.sign_up").asBoolean()).isTrue();
        assertThat(made.json().at("/alerts/follow").isBoolean()).isTrue();
        assertThat(made.json().at("/alerts/follow").asBoolean()).isFalse();
        assertThat(made.text("/policy")).isEqualTo("followed");
        String key = api.get("/api/v2/instance", null).text("/configuration/vapid/public_key");
        assertThat(made.text("/server_key")).isEqualTo(key).hasSize(88);
        assertThat(api.get(PATH, ann.token()).body()).isEqualTo(made.body());

        Response changed =
                api.send("PUT", PATH, ann.token(), "application/json", "{\"data\":{\"alerts\":{\"follow\":true}}}");
        assertThat(changed.json().at("/alerts/mention").asBoolean()).isFalse();
        assertThat(changed.json().at("/alerts/follow").asBoolean()).isTrue();
        assertThat(changed.text("/policy")).isEqualTo("all");
        assertThat(changed.text("/id")).isEqualTo(made.text("/id"));

        Response again = subscribe(ann, ENDPOINT);
        assertThat(again.text("/id")).isNotEqualTo(made.text("/id"));
        assertThat(again.json().at("/standard").asBoolean()).isFalse();
        assertThat(api.send("DELETE", PATH, ann.token(), null, null).body()).isEqualTo("{}");
        assertThat(api.send("DELETE", PATH, ann.token(), null, null).status()).isEqualTo(200);
        assertThat(api.get(PATH, ann.token()).status()).isEqualTo(404);
    }

    /** A copy of Redis lets nobody in. */
    @Test
    void theTokenIsNotStoredAsItIs() {
        User cat = api.signUp("cat");
        subscribe(cat, ENDPOINT);
        long account = Long.parseLong(cat.id());
        assertThat(redis.askAt(Keys.push(account), "HGETALL", Keys.push(account))
                        .toString())
                .doesNotContain(cat.token());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/x",
                "https://localhost/x",
                "https://10.0.0.1:8443/x",
                "https://[::1]/x",
                "https://[::ffff:10.0.0.1]/x",
                "https://169.254.169.254/x"
            })
    void aPrivateAddressIsRefusedWithASentence(String endpoint) {
        Response refused = subscribe(api.signUp("u" + Integer.toHexString(endpoint.hashCode())), endpoint);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("private address").contains("public");
    }

    @Test
    void anInvalidSubscriptionIsRefused() {
        User dan = api.signUp("dan");
        assertThat(api.post(PATH, dan.token()).text("/error")).contains("Endpoint can't be blank");
        assertThat(subscribe(dan, "http://push.example.com/x").text("/error")).contains("https");
        assertThat(subscribe(dan, ENDPOINT, "data[policy]", "friends").text("/error"))
                .contains("Policy");
        Response keys = api.post(
                PATH,
                dan.token(),
                "subscription[endpoint]",
                ENDPOINT,
                "subscription[keys][p256dh]",
                "AAAA",
                "subscription[keys][auth]",
                "AAAA");
        assertThat(keys.status()).isEqualTo(422);
        assertThat(keys.text("/error")).contains("P-256");
        assertThat(api.get(PATH, dan.token()).status()).isEqualTo(404);
    }

    @Test
    void theKeyIsInEveryAnswerThatHasAPlaceForIt() {
        Response app = api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
        assertThat(app.text("/vapid_key"))
                .isEqualTo(api.get("/api/v2/instance", null).text("/configuration/vapid/public_key"))
                .hasSize(88);
    }

    @Test
    void whereItIsSwitchedOffEverythingIsUnknown() {
        try (ApiServer off = new ApiServer(redis, "push.enabled=false")) {
            User eve = off.signUp("eve");
            for (String method : new String[] {"GET", "POST", "PUT", "DELETE"}) {
                assertThat(off.send(method, PATH, eve.token(), null, null).status())
                        .as(method)
                        .isEqualTo(404);
                assertThat(off.send(method, PATH, null, null, null).status()).isEqualTo(401);
            }
            assertThat(off.get("/api/v2/instance", null).text("/configuration/vapid/public_key"))
                    .isEmpty();
        }
    }
}
