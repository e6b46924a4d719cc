package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Accounts for their operator, by command and in the console. */
@Timeout(240)
class AdminAccountsTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    @Test
    void accountsAreFoundAndTheEndOfTheirSessionsHoldsAtOnce() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "console.operator-token=" + OPERATOR)) {
            String url = up.runtime().httpUrl();
            Client ann = Client.signUp(url, "ann_one");
            Client other = Client.signUp(url, "ann_two");
            Client bob = Client.signUp(url, "bob");
            ConsoleBrowser console = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);

            JsonArray found = new JsonArray(CommandRun.admin(redis, "accounts", "find", "ann_", "--json"));
            assertThat(names(found)).containsExactly("ann_one", "ann_two");
            assertThat(console.look("accounts?name=@ANN_").getJsonArray("accounts"))
                    .isEqualTo(found);
            assertThat(console.look("accounts?name=%25").getJsonArray("accounts"))
                    .isEmpty();
            assertThat(CommandRun.admin(redis, "accounts", "find")).contains("@ann_one", "@ann_two", "@bob");

            JsonObject shown = console.look("accounts/one?account=" + ann.id());
            assertThat(shown.getJsonArray("sessions")).hasSize(1);
            assertThat(shown.encode()).doesNotContain(ann.token());
            assertThat(new JsonObject(CommandRun.admin(redis, "accounts", "show", "@ann_one", "--json")))
                    .isEqualTo(shown);

            assertThat(console.act("accounts/sign-out", new JsonObject().put("account", ann.id()))
                            .getLong("ended"))
                    .isEqualTo(1);
            assertThat(CommandRun.admin(redis, "accounts", "sign-out", "ann_two"))
                    .contains("1 sessions of ann_two have ended");
            assertThat(CommandRun.admin(redis, "accounts", "notes", "bob", "--add", "asks for friends"))
                    .contains("asks for friends");
            assertThat(CommandRun.admin(redis, "accounts", "notes", "bob", "--remove", "1"))
                    .contains("no notes");
            JsonArray acts = console.look("audit?account=ann_one").getJsonArray("entries");
            assertThat(acts).hasSize(1);
            assertThat(acts.getJsonObject(0).getString("action")).isEqualTo("accounts.sign-out");
            assertThat(acts.getJsonObject(0).getString("via")).isEqualTo("console");
            assertThat(acts.getJsonObject(0).getString("operator")).isNotEmpty();
            assertThat(console.act(
                                    "role/set",
                                    new JsonObject()
                                            .put("account", "bob")
                                            .put("role", "owner")
                                            .put("why", "runs it"))
                            .getString("before"))
                    .isEqualTo("user");
            assertThat(console.look("roles")
                            .getJsonArray("roles")
                            .getJsonObject(0)
                            .getString("username"))
                    .isEqualTo("bob");
            assertThat(console.look("audit?action=role.")
                            .getJsonArray("entries")
                            .getJsonObject(0)
                            .getString("why"))
                    .isEqualTo("runs it");
            assertThat(console.get("audit?before=x").statusCode()).isEqualTo(400);
            String me = url + "/api/v1/accounts/verify_credentials";
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                assertThat(Client.get(me, ann.token()).statusCode()).isEqualTo(401);
                assertThat(Client.get(me, other.token()).statusCode()).isEqualTo(401);
            });
            assertThat(Client.get(me, bob.token()).statusCode()).isEqualTo(200);

            assertThat(console.get("accounts/one?account=nobody_has_this").statusCode())
                    .isEqualTo(404);
            assertThat(console.get("accounts/one?account=%3Cb%3E").statusCode()).isEqualTo(404);
            assertThat(CommandRun.of(List.of(
                                    "admin",
                                    "accounts",
                                    "show",
                                    "nobody_has_this",
                                    "--set",
                                    "redis.url=" + redis.server().url().reveal()))
                            .status())
                    .isNotZero();
        }
    }

    @Test
    void aLostSecondFactorIsRemovedByCommandAndInTheConsole() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "console.operator-token=" + OPERATOR)) {
            String url = up.runtime().httpUrl();
            ConsoleBrowser console = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            ann.addFactor(url);
            bob.addFactor(url);
            assertThat(CommandRun.admin(redis, "accounts", "show", "ann")).contains("second factor");

            assertThat(CommandRun.admin(redis, "accounts", "factor", "remove", "ann", "--why", "called"))
                    .contains("ann has no second factor any more");
            assertThat(CommandRun.admin(redis, "accounts", "factor", "remove", "ann"))
                    .contains("ann has no second factor");
            assertThat(console.act("accounts/factor/remove", new JsonObject().put("account", bob.id()))
                            .getBoolean("changed"))
                    .isTrue();

            for (Client each : List.of(ann, bob)) {
                JsonObject factor = new JsonObject(
                        Client.get(url + "/api/v1/factor", each.token()).body());
                assertThat(factor.getBoolean("enabled")).isFalse();
                assertThat(factor.getString("removed_at")).isNotNull();
            }
            assertThat(CommandRun.admin(redis, "accounts", "show", "ann")).doesNotContain("second factor");
            JsonArray acts = console.look("audit?account=ann").getJsonArray("entries");
            assertThat(acts.getJsonObject(1).getString("action")).isEqualTo("accounts.factor.remove");
            assertThat(acts.getJsonObject(1).getString("why")).isEqualTo("called");
        }
    }

    private static List<String> names(JsonArray accounts) {
        return accounts.stream()
                .map(account -> ((JsonObject) account).getString("username"))
                .toList();
    }
}
