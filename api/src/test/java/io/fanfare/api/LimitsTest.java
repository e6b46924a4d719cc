package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Limits that are not held elsewhere (docs/security.md lists all): exactly as much as the limit says is accepted, and
 * one more is refused with a reason.
 */
class LimitsTest {
    private static final int MAX = 3;

    private static ApiServer api;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(
                TestRedis.standalone(),
                "limits.following-max=" + MAX,
                "limits.blocks-max=" + MAX,
                "limits.mutes-max=" + MAX,
                "limits.favourites-max=" + MAX);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void aNameAndAnAddressHaveALength() {
        assertThat(error("username", "u".repeat(31))).isEqualTo("ERR_TOO_LONG");
        assertThat(signUp("username", "u".repeat(30)).status()).isEqualTo(200);
        String before = "e".repeat(64) + "@";
        assertThat(error("email", before + "h".repeat(186) + ".org")).isEqualTo("ERR_INVALID");
        assertThat(error("email", "e" + before + "example.org")).isEqualTo("ERR_INVALID");
        assertThat(signUp("email", before + "h".repeat(185) + ".org").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/statuses, 100", "/api/v1/accounts, 100"})
    void aListOfIdsHasAnEnd(String path, int max) {
        String ids = IntStream.range(0, max).mapToObj(i -> "id[]=" + (4711 + i)).collect(Collectors.joining("&"));

        assertThat(api.get(path + "?" + ids, null).status()).isEqualTo(200);
        assertThat(api.get(path + "?" + ids + "&id[]=1", null).status()).isEqualTo(422);
    }

    @Test
    void anIdempotencyKeyHasALength() {
        User ann = api.signUp("once");
        assertThat(once(ann, "k".repeat(255)).status()).isEqualTo(200);
        assertThat(once(ann, "k".repeat(256)).status()).isEqualTo(400);
    }

    private static Response once(User ann, String key) {
        return api.send(
                "POST",
                "/api/v1/statuses",
                ann.token(),
                "application/json",
                "{\"status\":\"once\"}",
                "Idempotency-Key",
                key);
    }

    @Test
    void theNameOfAnAppHasALength() {
        assertThat(register("n".repeat(60)).status()).isEqualTo(200);
        assertThat(register("n".repeat(61)).text("/details/client_name/0/error"))
                .isEqualTo("ERR_TOO_LONG");
    }

    @ParameterizedTest
    @CsvSource({"follow", "block", "mute"})
    void aListOfAccountsHasAnEnd(String action) {
        User ann = api.signUp(action + "er");
        List<String> others = new ArrayList<>();
        for (int i = 0; i <= MAX; i++) {
            others.add(api.signUp(action + i).id());
        }
        refusesTheLast(ann, "/api/v1/accounts/", others, action);
    }

    @ParameterizedTest
    @CsvSource({"favourite", "bookmark"})
    void aListOfStatusesHasAnEnd(String action) {
        User ann = api.signUp(action + "r");
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i <= MAX; i++) {
            statuses.add(api.post("/api/v1/statuses", ann.token(), "status", "number " + i)
                    .text("/id"));
        }
        refusesTheLast(ann, "/api/v1/statuses/", statuses, action);
    }

    /** The last is one too many until another one is taken off. */
    private static void refusesTheLast(User ann, String base, List<String> ids, String action) {
        for (String id : ids.subList(0, MAX)) {
            assertThat(api.post(base + id + "/" + action, ann.token()).status()).isEqualTo(200);
        }
        String last = base + ids.get(MAX) + "/";
        Response refused = api.post(last + action, ann.token());
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains(Integer.toString(MAX));
        assertThat(api.post(base + ids.get(0) + "/" + action, ann.token()).status())
                .as("what is there already")
                .isEqualTo(200);
        assertThat(api.post(base + ids.get(0) + "/un" + action, ann.token()).status())
                .isEqualTo(200);
        assertThat(api.post(last + action, ann.token()).status()).isEqualTo(200);
    }

    private static Response register(String name) {
        return api.post("/api/v1/apps", null, "client_name", name, "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
    }

    private static String error(String field, String value) {
        return signUp(field, value).text("/details/" + field + "/0/error");
    }

    private static Response signUp(String field, String value) {
        return api.post(
                "/api/v1/accounts",
                null,
                "username",
                field.equals("username") ? value : "someone",
                "email",
                field.equals("email") ? value : "someone.else@example.org",
                "password",
                ApiServer.PASSWORD,
                "agreement",
                "true");
    }
}
