package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.keyspace.ServiceUser;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Meta;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Script;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code fanfare admin verify} to its end, on a Redis with three accounts who follow each other in a circle. */
@Timeout(120)
class AdminVerifyTest {
    private static final Vertx vertx = Vertx.vertx();

    private final TestRedis redis = TestRedis.standalone();
    private List<Long> ids;

    @BeforeEach
    void circle() {
        redis.flush();
        RedisLink link = redis.link(vertx);
        Settings settings = SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options()));
        Shards shards = TestRedis.await(
                new Meta(link, new SecureRandom()).join(settings.redis().shards()));
        ids = TestRedis.await(new Accounts(link, shards, new Random(1)).signUpAll(List.of("ann", "bob", "cleo")));
        TestRedis.await(new Graph(link, settings)
                .followAll(List.of(
                        edge(ids.get(0), ids.get(1)), edge(ids.get(1), ids.get(2)), edge(ids.get(2), ids.get(0)))));
        TestRedis.await(link.close());
    }

    private static long[] edge(long follower, long followee) {
        return new long[] {follower, followee};
    }

    @Test
    void aDataSetWithoutDifferencesEndsWithStatusZero() {
        CommandRun run = verify();
        assertThat(run.out()).contains("looked at  3 accounts, 3 edges, ", " keys", "no differences");
        assertThat(run.err()).contains("accounts: 3 of 3");
        assertThat(run.status()).as(run.err()).isZero();
        JsonObject json = new JsonObject(verify("--json").out());
        assertThat(json.getBoolean("clean")).isTrue();
        assertThat(json.getBoolean("keys_listed")).isTrue();
        assertThat(json.getJsonObject("looked_at").getInteger("edges")).isEqualTo(3);
    }

    @Test
    void anotherNumberOfShardsIsASentenceAndNoMistakeOfFanfare() {
        CommandRun run = verify("--set", "redis.shards=32");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err().strip())
                .isEqualTo("fanfare: the data set has 16 shards, but redis.shards is 32: set redis.shards to 16;"
                        + " `fanfare migrate --shards` raises the number");
        assertThat(run.out()).doesNotContain("mistake");
    }

    @Test
    void differencesAreListedWithStatusOneAndRepairedOnDemand() {
        String following = Keys.following(ids.get(1));
        redis.askAt(following, "ZREM", following, ids.get(2).toString());
        redis.askAt("session:1\u001b", "SET", "session:1\u001b", "somebody else's");

        CommandRun found = verify();
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.out())
                .containsPattern("follow +1 +0 +0")
                .containsPattern("account_lists +1 +0 +0")
                .contains("follow: follow of " + ids.get(2) + " by " + ids.get(1) + ": the deciding side has no edge")
                .contains("unknown_key: key session:1? is none")
                .contains("3 differences left; --repair repairs");

        CommandRun repaired = verify("--repair");
        assertThat(repaired.status()).isEqualTo(1);
        assertThat(repaired.err()).contains("repaired follow: ", "repaired account_lists: ");
        assertThat(repaired.out()).contains("unknown_key: find out who writes it", "1 differences left");

        redis.askAt("session:1\u001b", "DEL", "session:1\u001b");
        CommandRun clean = verify("--repair");
        assertThat(clean.out()).contains("no differences");
        assertThat(clean.err()).doesNotContain("repaired");
        assertThat(clean.status()).isZero();
    }

    @Test
    void programsGetEveryDifferenceWithItsKindAndRemedy() {
        redis.askAt(Keys.user(ids.get(0)), "HSET", Keys.user(ids.get(0)), "followers", "9");
        CommandRun run = verify("--json", "--account", "Ann");
        assertThat(run.status()).isEqualTo(1);
        JsonObject json = new JsonObject(run.out());
        assertThat(json.getJsonArray("differences"))
                .containsExactly(new JsonObject()
                        .put("kind", "account_lists")
                        .put("detail", "followers of account " + ids.get(0) + " counts 9 and lists 1")
                        .put("remedy", ""));
        assertThat(json.getJsonObject("kinds").getJsonObject("account_lists").getInteger("left"))
                .isEqualTo(1);
        assertThat(json.getJsonObject("looked_at").getInteger("accounts")).isEqualTo(1);
        assertThat(json.getBoolean("keys_listed")).isFalse();
    }

    @Test
    void theRowsOfTheArchiveAreComparedToo(@TempDir Path folder) {
        Path file = folder.resolve("archive.db");
        String setting = "archive.jdbc-url=jdbc:sqlite:" + file;
        assertThat(verify("--set", setting).status()).isZero();
        assertThat(file).as("nothing has moved").doesNotExist();

        Archive archive =
                JdbcArchive.of(vertx, SettingsLoader.defaultsWith(setting).archive(), new SimpleMeterRegistry());
        TestRedis.await(archive.put(List.of(new Archive.Row(ids.get(0) + 1, ids.get(0), false, 1, "{}"))));
        TestRedis.await(archive.close());
        CommandRun run = verify("--set", setting);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains(", 1 archived rows", "archive: status " + (ids.get(0) + 1), " and in no profile")
                .contains("1 differences left");
        assertThat(new JsonObject(verify("--json", "--set", setting).out()).getBoolean("archive_compared"))
                .isTrue();
        CommandRun repaired = verify("--repair", "--set", setting);
        assertThat(repaired.out()).contains("archive: look at the status in Redis and at its row");
        assertThat(verify("--account", "ann", "--set", setting).status()).isZero();
    }

    @Test
    void aSampleSaysItsSeedAndTheSameSeedDrawsTheSame() {
        CommandRun run = verify("--sample", "2");
        assertThat(run.out()).containsPattern("2 accounts, 2 edges; seed \\d+");
        String seed = run.out().replaceAll("(?s).*seed (\\d+).*", "$1");
        assertThat(verify("--sample", "2", "--seed", seed).out()).contains("seed " + seed);
        assertThat(new JsonObject(
                                verify("--sample", "1", "--seed", "7", "--json").out())
                        .getLong("seed"))
                .isEqualTo(7);
    }

    @Test
    void invalidArgumentsAreRefusedWithAnExplanation() {
        assertThat(verify("--account", "nobody").status()).isEqualTo(1);
        assertThat(verify("--account", "nobody").err()).contains("no account has the name nobody");
        assertThat(verify("--account", "ann", "--sample", "1").status()).isEqualTo(2);
        assertThat(verify("--sample", "0").err()).contains("--sample must be 1 to");
        assertThat(verify("--seed", "1").err()).contains("--seed belongs to --sample");
    }

    @Test
    void theUserOfTheServiceMayNotListKeysAndAllElseIsVerified() {
        try (TestRedis own = TestRedis.freshStandalone(AppendSync.OFF, ServiceUser.conf("pw", TestRedis.NAMESPACE))) {
            for (String text : Script.texts()) {
                TestRedis.ask(own.server(), "SCRIPT", "LOAD", text);
            }
            TestRedis.askIn(own.server(), "SET", "session:1", "x");
            CommandRun run = CommandRun.of(List.of(
                    "admin",
                    "verify",
                    "--set",
                    "redis.url="
                            + own.server()
                                    .url(ServiceUser.NAME, new Secret("pw"))
                                    .reveal()));
            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.out()).contains("not listed: the user of redis.url may not list keys", "no differences");
        }
    }

    private CommandRun verify(String... options) {
        List<String> line = new ArrayList<>(List.of("admin", "verify"));
        line.addAll(List.of(options));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        return CommandRun.of(line);
    }
}
