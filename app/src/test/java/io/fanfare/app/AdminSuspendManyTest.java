package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many accounts are suspended by a list, or by the network that they have signed up from. */
@Timeout(240)
class AdminSuspendManyTest {
    private static final String KEY = "auth.signing-key=0123456789abcdef0123456789abcdef";
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    private final TestRedis redis = TestRedis.standalone();

    @Test
    void oneThatIsUnknownStopsNoOtherAndASecondRunGoesOn() throws Exception {
        redis.flush();
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false")) {
            String url = "http://127.0.0.1:" + server.port();
            List<Client> bots = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                bots.add(Client.signUp(url, "bot" + i));
            }
            Client ann = Client.signUp(url, "ann");
            Path file = dir.resolve("bots.txt");
            List<String> lines = new ArrayList<>(
                    List.of("# found today", "", "@Bot0", bots.get(1).id(), "nobody_here"));
            for (int i = 0; i < 20; i++) {
                lines.add("bot" + i);
            }
            Files.write(file, lines, StandardCharsets.UTF_8);

            CommandRun dry = run(1, "--file", file.toString(), "--dry-run");
            assertThat(dry.out()).contains("would be suspended: " + bots.get(3).id() + " @bot3");
            assertThat(dry.out())
                    .contains("23 accounts 22 would be suspended, 0 suspended before, 0 deleted, 1 unknown, 0 failed");
            assertThat(status(url, bots.get(3))).isEqualTo(200);
            assertThat(run(0, "bot7").out()).contains("bot7 is suspended");

            CommandRun done = run(1, "--file", file.toString());
            assertThat(done.out())
                    .contains("of 23 accounts 19 suspended now, 3 suspended before, 0 deleted, 1 unknown, 0 failed");
            assertThat(done.err())
                    .contains("nobody_here: No account has the name nobody_here.")
                    .contains("event=command-action action=accounts/suspend")
                    .contains("given=\"account=" + bots.get(19).id() + "\"");
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                for (Client bot : bots) {
                    assertThat(status(url, bot)).isEqualTo(403);
                }
            });
            assertThat(status(url, ann)).isEqualTo(200);

            JsonObject again =
                    new JsonObject(run(0, "bot1", "bot2", "bot2", "--json").out());
            assertThat(again.getInteger("suspended_before")).isEqualTo(2);
            assertThat(again.getInteger("asked")).isEqualTo(2);
            run(2);
            run(2, "bot1", "--file", file.toString());
            run(2, "--since", "1h", "bot1");
            run(2, "--signed-up-from", "not-an-address");
            run(2, "--signed-up-from", "10.0.0.0/8");
            run(2, "--signed-up-from", "127.0.0.1", "--since", "yesterday");
            run(1, "--file", dir.resolve("absent").toString());
        }
    }

    @Test
    void thoseWhoHaveSignedUpFromANetworkAreSuspendedAndNobodyElse() throws Exception {
        redis.flush();
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false")) {
            String url = "http://127.0.0.1:" + server.port();
            Client early = Client.signUp(url, "early");
            Client bot = Client.signUp(url, "bot");
            assertThat(run(0, "--signed-up-from", "192.0.2.0/24", "--set", KEY).out())
                    .contains("of 0 accounts 0 suspended now");
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(
                            run(0, "--signed-up-from", "127.0.0.0/24", "--since", "1h", "--dry-run", "--set", KEY)
                                    .out())
                    .contains("@early", "@bot", "of 2 accounts 2 would be suspended"));
            String later = Instant.now().plusSeconds(3600).toString();
            assertThat(run(0, "--signed-up-from", "127.0.0.1", "--since", later, "--set", KEY)
                            .out())
                    .contains("of 0 accounts");
            assertThat(status(url, bot)).isEqualTo(200);
            assertThat(run(0, "--signed-up-from", "127.0.0.1", "--since", "1d", "--set", KEY)
                            .out())
                    .contains("of 2 accounts 2 suspended now");
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                assertThat(status(url, early)).isEqualTo(403);
                assertThat(status(url, bot)).isEqualTo(403);
            });
            assertThat(run(1, "--signed-up-from", "127.0.0.1").err()).contains("auth.signing-key");
        }
    }

    @CanIgnoreReturnValue
    private CommandRun run(int status, String... arguments) {
        List<String> line = new ArrayList<>(List.of("admin", "accounts", "suspend"));
        line.addAll(List.of(arguments));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).as(run.err() + run.out()).isEqualTo(status);
        return run;
    }

    private static int status(String url, Client who) throws Exception {
        return Client.get(url + "/api/v1/accounts/verify_credentials", who.token())
                .statusCode();
    }
}
