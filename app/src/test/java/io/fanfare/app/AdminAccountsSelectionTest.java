package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator selects accounts by commands, acts on them and undoes that. */
@Timeout(120)
class AdminAccountsSelectionTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final TestRedis redis = TestRedis.standalone();

    @Test
    void accountsAreSelectedLimitedAndGivenBack() throws Exception {
        redis.flush();
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false")) {
            server.startWorker();
            String url = "http://127.0.0.1:" + server.port();
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            Client cat = Client.signUp(url, "cat");
            run(0, "role set cat owner --why site");
            String post = ann.post(url, "Cheap\nWATCHES here");
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(
                            run(0, "accounts selection make --text cheap_watches --json")
                                    .out())
                    .contains("@ann"));

            CommandRun made = run(0, "accounts selection make @bob", ann.id(), "cat --since 1h");
            assertThat(made.out()).contains("3 accounts, signed up since", "3 names", "@bob", "@cat");
            String number = made.out().replaceAll("(?s).*selection (\\d+):.*", "$1");
            assertThat(run(0, "accounts selection act " + number + " limit --why wave")
                            .err())
                    .contains("action=accounts/selection/act", "outcome=done");
            JsonObject acted = await(number, "done", false);
            assertThat(acted.getInteger("changed")).isEqualTo(2);
            assertThat(acted.getInteger("skipped")).as("an owner").isEqualTo(1);
            assertThat(run(0, "accounts show bob").out()).contains("limited since");
            assertThat(run(0, "audit --account bob").out()).contains("accounts.limit", "selection " + number, "wave");
            assertThat(run(1, "accounts selection act " + number + " suspend").err())
                    .contains("another act already");

            run(0, "accounts selection undo " + number + " --why mistake");
            assertThat(await(number, "done", true).getInteger("restored")).isEqualTo(2);
            assertThat(run(0, "accounts show bob").out()).doesNotContain("limited since");
            assertThat(run(0, "accounts selection show " + number).out()).contains("undo of limit: done");
            assertThat(List.of(bob.id(), cat.id(), post)).doesNotContain("");
        }
    }

    @Test
    void aSelectionThatNamesNobodyIsRefusedWithASentence() {
        redis.flush();
        assertThat(run(2, "accounts selection make").err()).contains("Give names or another criterion");
        assertThat(run(2, "accounts selection make --text ab").err()).contains("3 characters");
        assertThat(run(2, "accounts selection make --signed-up-from 10.0.0.0/8").err())
                .contains("IPv4 from /16");
        assertThat(run(2, "accounts selection make --since yesterday").err()).contains("since must be");
        assertThat(run(1, "accounts selection make nobody_here").err()).contains("No account has the name");
        assertThat(run(1, "accounts selection show 4711").err()).contains("There is no selection 4711");
        assertThat(run(1, "accounts selection undo 4711").err()).isNotEmpty();
    }

    private JsonObject await(String number, String phase, boolean undo) {
        return Awaitility.await()
                .atMost(WAIT_MAX)
                .until(
                        () -> new JsonObject(run(0, "accounts selection show " + number + " --json")
                                        .out())
                                .getJsonObject("act"),
                        act -> act.getString("phase").equals(phase) && act.getBoolean("undo") == undo);
    }

    /** The arguments have spaces between them. */
    @CanIgnoreReturnValue
    private CommandRun run(int status, String... words) {
        List<String> line = new ArrayList<>(List.of("admin"));
        for (String argument : String.join(" ", words).split(" ", -1)) {
            line.add(argument.replace("cheap_watches", "cheap watches"));
        }
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).as(run.err() + run.out()).isEqualTo(status);
        return run;
    }
}
