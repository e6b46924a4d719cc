package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator's view of the queue: each command to its end, on a Redis where a few jobs have died. */
@Timeout(120)
class AdminQueueTest {
    /** Recent, since letters are dropped by their age; full, as the command prints seconds. */
    private final Instant died = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(600);

    private final TestRedis redis = TestRedis.standalone();

    @BeforeEach
    void bury() {
        redis.flush();
        letter(2, died.toEpochMilli() + 123, "failed 12 times\t0 11 1795251980000 fan_out.1 8 12 0");
        letter(5, died.toEpochMilli() + 1000, "malformed\trub\u001bbish");
    }

    private void letter(int shard, long died, String letter) {
        String key = Keys.dead(shard);
        redis.askAt(key, "ZADD", key, Long.toString(died), letter);
    }

    @Test
    void statsCountTheDead() {
        assertThat(run("stats")).containsPattern("dead +2 ").contains("dead list");
        assertThat(new JsonObject(run("stats", "--json")).getInteger("dead")).isEqualTo(2);
    }

    @Test
    void deadListShowsTheNewestFirst() {
        assertThat(run("dead", "list").lines())
                .containsExactly(
                        died.plusSeconds(1) + "  shard 5  malformed  [rub?bish]",
                        died + "  shard 2  failed 12 times  [0 11 1795251980000 fan_out.1 8 12 0]");
        JsonArray one = new JsonArray(run("dead", "list", "--max", "1", "--json"));
        assertThat(one)
                .containsExactly(new JsonObject()
                        .put("shard", 5)
                        .put("died_at", died.plusSeconds(1).toString())
                        .put("reason", "malformed")
                        .put("job", "rub\u001bbish"));
    }

    @Test
    void replayedLettersWaitAgainAndTheOthersCanBeDropped() {
        assertThat(run("dead", "replay")).contains("1 dead letters wait again");
        assertThat(new JsonObject(run("stats", "--json")).getInteger("normal")).isEqualTo(1);
        assertThat(run("dead", "drop", "--max", "10", "--json"))
                .contains("{\"dropped\":1,\"more\":0,\"saw_all\":true}");
        assertThat(run("dead", "list")).contains("no dead letters");
    }

    @Test
    void lettersOfOneTypeOrAccountAreListedReplayedAndDropped() {
        long ada = signUp("ada");
        for (int i = 0; i < 5; i++) {
            letter(Id.shard(ada), died.toEpochMilli() + 4000 + i, "because\t0 0 1 link.1 " + ada + " 12 " + i);
            letter(5, died.toEpochMilli() + 4000 + i, "because\t0 0 1 link.1 20500 12 " + i);
        }
        assertThat(run("dead", "list", "--type", "link").lines()).hasSize(10);
        assertThat(run("dead", "list", "--type", "link", "--author", "@Ada").lines())
                .hasSize(5);
        assertThat(run("dead", "replay", "--type", "link", "--author", "20500", "--max", "2"))
                .contains("2 dead letters wait again; 3 more match");
        assertThat(run("dead", "drop", "--type", "link", "--max", "7"))
                .contains("7 dead letters dropped; 1 more match");
        assertThat(run("dead", "list").lines()).hasSize(3);
        assertThat(run("dead", "list", "--type", "mute")).contains("no dead letters");
        assertThat(CommandRun.of(List.of("admin", "queue", "dead", "list", "--type", "Link 1"))
                        .status())
                .isEqualTo(2);
    }

    private long signUp(String name) {
        Vertx vertx = Vertx.vertx();
        RedisLink link = redis.link(vertx);
        Shards shards = TestRedis.await(new Meta(link, new SecureRandom()).join(16));
        long id = TestRedis.await(new Accounts(link, shards, new Random(1)).signUpAll(List.of(name)))
                .get(0);
        TestRedis.await(link.close());
        TestRedis.await(vertx.close());
        return id;
    }

    @Test
    void aListThatIsCutOffSaysHowManyMoreMatch() {
        CommandRun list = CommandRun.of(List.of(
                "admin",
                "queue",
                "dead",
                "list",
                "--max",
                "1",
                "--set",
                "redis.url=" + redis.server().url().reveal()));
        assertThat(list.out().lines()).hasSize(1);
        assertThat(list.err()).contains("1 more match, not shown");
    }

    @Test
    void aReplayWithARateTakesItsTime() {
        for (int i = 0; i < 30; i++) {
            letter(2, died.toEpochMilli() + 4000 + i, "because\t0 0 1 link.1 8200 12 " + i);
        }
        long began = System.nanoTime();
        assertThat(run("dead", "replay", "--type", "link", "--rate", "20")).contains("30 dead letters wait again");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(1400));
    }

    @Test
    void aLaneIsPausedUntilItIsResumed() {
        assertThat(run("pause", "low")).contains("lane low is paused in 16 of 16 shards; 16 changed");
        assertThat(run("pause", "LOW")).contains("; 0 changed");
        assertThat(run("stats")).contains("; paused: low");
        assertThat(new JsonObject(run("stats", "--json")).getJsonArray("paused"))
                .containsExactly("low");
        assertThat(new JsonObject(run("resume", "low", "--json")))
                .isEqualTo(new JsonObject()
                        .put("lane", "low")
                        .put("paused", false)
                        .put("shards", 16)
                        .put("changed", 16)
                        .put("unreached", new JsonArray()));
        assertThat(run("stats")).doesNotContain("paused");
    }

    @Test
    void unreachableShardsAreNamedWithStatusOne() {
        String broken = Keys.queueStats(5);
        redis.askAt(broken, "SET", broken, "not a hash");
        CommandRun pause = CommandRun.of(List.of(
                "admin",
                "queue",
                "pause",
                "high",
                "--set",
                "redis.url=" + redis.server().url().reveal()));
        assertThat(pause.status()).isEqualTo(1);
        assertThat(pause.out()).contains("in 15 of 16 shards; 15 changed; not reached: shard 5.");
        assertThat(pause.err()).contains("shard 5 could not be reached: ");
        assertThat(CommandRun.of(List.of("admin", "queue", "pause", "suspect")).status())
                .isEqualTo(2);
    }

    @Test
    void lanesShowWhatWaitsWhereAndWhatIsPaused() {
        waiting(3, "low", 7);
        waiting(9, "low", 12);
        waiting(4, "high", 1);
        assertThat(run("pause", "low")).contains("is paused");

        List<String> lines = run("lanes").lines().toList();
        assertThat(lines.get(0)).startsWith("LANE ").contains("WAITING", "OLDEST", "PAUSED", "DEEPEST SHARDS");
        assertThat(lines.get(1)).matches("high +1 +\\d+ s +no +4: 1");
        assertThat(lines.get(2)).matches("normal +0 +- +no");
        assertThat(lines.get(3)).matches("low +19 +\\d+ s +since \\S+Z +9: 12 +3: 7");

        JsonObject low =
                new JsonObject(run("lanes", "--json")).getJsonArray("lanes").getJsonObject(2);
        assertThat(low.getLong("waiting")).isEqualTo(19);
        assertThat(low.getBoolean("paused")).isTrue();
        assertThat(low.getInteger("paused_shards")).isEqualTo(16);
        assertThat(low.getJsonArray("deepest").getJsonObject(0))
                .isEqualTo(new JsonObject().put("shard", 9).put("waiting", 12));
    }

    private void waiting(int shard, String lane, int jobs) {
        String key = Keys.lane(shard, lane);
        for (int i = 0; i < jobs; i++) {
            redis.askAt(key, "LPUSH", key, "0 0 1795251980000 fan_out.1 8 12 " + i);
        }
    }

    @Test
    void theJobsOfAnIdAreFoundWhereverTheyWait() {
        waiting(3, "low", 4);
        push(3, "low", "0 0 1795251980000 fan_out.1 8200 777 5");
        push(3, "low", "0 0 1795251980000 fan_out.1 8200 7777 5");
        push(1, "suspect", "1 0 1795251980000 link.1 8200 777 5");
        String delayed = Keys.delayed(4);
        redis.askAt(delayed, "ZADD", delayed, "1795251986123", "0 1 1795251980000 retract.1 8200 777 0");
        letter(6, died.toEpochMilli() + 4000, "because\t0 0 777 like.1 8200 777 5");
        redis.askAt(Keys.leases(9), "ZADD", Keys.leases(9), "1", "wab.12");
        redis.askAt(Keys.batch(9, "wab.12"), "RPUSH", Keys.batch(9, "wab.12"), "0 0 1 mute.1 777 8200 5");

        assertThat(run("job", "777").lines())
                .containsExactlyInAnyOrder(
                        "shard 3  low  4 jobs before it  [0 0 1795251980000 fan_out.1 8200 777 5]",
                        "shard 1  suspect  0 jobs before it  [1 0 1795251980000 link.1 8200 777 5]",
                        "shard 4  delayed  due 2026-11-21T09:06:26Z, failures 1  [0 1 1795251980000 retract.1 8200 777 0]",
                        "shard 6  dead  " + died.plusSeconds(4) + ": because  [0 0 777 like.1 8200 777 5]",
                        "shard 9  batch  wab.12, lease ended  [0 0 1 mute.1 777 8200 5]",
                        "5 found in 12 jobs");
        JsonObject json = new JsonObject(run("job", "7777", "--json"));
        assertThat(json.getJsonArray("found").getJsonObject(0).getString("where"))
                .isEqualTo("low");
        assertThat(json.getBoolean("saw_all")).isTrue();
        assertThat(run("job", "1795251980000")).contains("0 found");
        assertThat(CommandRun.of(List.of("admin", "queue", "job", "ada")).status())
                .isEqualTo(2);
    }

    @Test
    void authorsAreThoseWhoseJobsWaitTheMostFirst() {
        long ada = signUp("ada");
        for (int i = 0; i < 1200; i++) {
            push(3, "normal", "0 0 1795251980000 fan_out.1 " + ada + " " + i + " 0");
        }
        push(3, "high", "0 0 1795251980000 link.1 " + ada + " 777 5");
        push(4, "low", "0 0 1795251980000 deliver.1 8200 777 0 9 -");
        push(1, "suspect", "1 0 1795251980000 link.1 8200 777 5");
        String delayed = Keys.delayed(4);
        redis.askAt(delayed, "ZADD", delayed, "1795251986123", "0 1 1795251980000 retract.1 8200 777 0");
        push(4, "low", "rubbish");

        List<String> lines = run("authors").lines().toList();
        assertThat(lines.get(1)).matches(" +1,201 +1 +1,200 +0 +0 +0 +" + ada + " @ada +fan_out 1,200, link 1");
        assertThat(lines.get(2)).matches(" +3 +0 +0 +1 +1 +1 +8200 +deliver 1, link 1, retract 1");
        assertThat(lines.get(3)).isEqualTo("1,205 jobs");
        JsonObject json = new JsonObject(run("authors", "--max", "1", "--json"));
        assertThat(json.getJsonArray("authors"))
                .containsExactly(new JsonObject()
                        .put("id", Long.toString(ada))
                        .put("username", "ada")
                        .put("jobs", 1201)
                        .put("lists", new JsonObject().put("high", 1).put("normal", 1200))
                        .put("types", new JsonObject().put("fan_out", 1200).put("link", 1)));
        assertThat(json.getBoolean("saw_all")).isTrue();
        assertThat(CommandRun.of(List.of("admin", "queue", "authors", "--max", "0"))
                        .status())
                .isEqualTo(2);
    }

    @Test
    void failuresAreTheNewestOfEachTypeWithItsReason() {
        assertThat(run("failures")).contains("no job has failed");
        failed(3, "fan_out", 0, "RedisError WRONGTYPE");
        failed(5, "fan_out", 9_000, "RedisError OOM");
        failed(5, "link", 4_000, "because");

        assertThat(run("failures").lines())
                .containsExactly(
                        died.plusSeconds(9)
                                + "  fan_out  shard 5 (in 2 shards)  RedisError OOM  [0 1 1 fan_out.1 8200 7 0]",
                        died.plusSeconds(4) + "  link  shard 5  because  [0 1 1 link.1 8200 7 0]");
        JsonArray failures = new JsonObject(run("failures", "--json")).getJsonArray("failures");
        assertThat(failures.getJsonObject(1))
                .isEqualTo(new JsonObject()
                        .put("type", "link")
                        .put("failed_at", died.plusSeconds(4).toString())
                        .put("shard", 5)
                        .put("shards", 1)
                        .put("reason", "because")
                        .put("job", "0 1 1 link.1 8200 7 0"));
    }

    private void failed(int shard, String type, long later, String reason) {
        String stats = Keys.queueStats(shard);
        redis.askAt(
                stats,
                "HSET",
                stats,
                "failed:" + type,
                (died.toEpochMilli() + later) + "\t" + reason + "\t0 1 1 " + type + ".1 8200 7 0");
    }

    private void push(int shard, String list, String job) {
        redis.askAt(Keys.lane(shard, list), "LPUSH", Keys.lane(shard, list), job);
    }

    @Test
    void workersShowWhatEachHasInHand() {
        String leases = Keys.leases(3);
        redis.askAt(leases, "ZADD", leases, Long.toString(System.currentTimeMillis() + 60_000), "wab.12");
        for (int i = 0; i < 2; i++) {
            redis.askAt(Keys.batch(3, "wab.12"), "RPUSH", Keys.batch(3, "wab.12"), "0 0 1 fan_out.1 8 12 " + i);
        }

        List<String> lines = run("workers").lines().toList();
        assertThat(lines.get(1)).matches("wab +1 +2 +(60\\.0|[45]\\d\\.\\d) s +3");
        assertThat(lines.get(2)).isEqualTo("2 jobs in 1 batches of 1 workers");
        JsonObject worker =
                new JsonObject(run("workers", "--json")).getJsonArray("workers").getJsonObject(0);
        assertThat(worker.getString("worker")).isEqualTo("wab");
        JsonObject batch = worker.getJsonArray("batches").getJsonObject(0);
        assertThat(batch.getInteger("shard")).isEqualTo(3);
        assertThat(batch.getLong("lease_left_ms")).isBetween(1L, 60_000L);
    }

    @Test
    void theQueueIsShownWhileRedisTakesNoWrites() {
        assertThat(run("stats")).contains("dead list");
        // As with a full disk (MISCONF), without one.
        TestRedis.ask(redis.server(), "CONFIG", "SET", "min-replicas-to-write", "1");
        try {
            for (String command : List.of("stats", "lanes", "workers", "failures", "authors")) {
                assertThat(run(command)).isNotEmpty();
            }
            assertThat(run("dead", "list").lines()).hasSize(2);
            assertThat(run("job", "777")).contains("0 found");
        } finally {
            TestRedis.ask(redis.server(), "CONFIG", "SET", "min-replicas-to-write", "0");
        }
    }

    @Tag("programs")
    @Test
    void aWatchShowsBlockAfterBlockUntilASignalComes(@TempDir Path dir) throws Exception {
        String url = "redis.url=" + redis.server().url().reveal();
        for (String command : List.of("stats", "lanes", "workers", "failures")) {
            try (FanfareProcess watch =
                    FanfareProcess.start(dir, "admin", "queue", command, "--watch", "1", "--json", "--set", url)) {
                awaitUntil(
                        "shown twice",
                        () -> watch.output()
                                        .lines()
                                        .filter(line -> line.startsWith("{"))
                                        .count()
                                >= 2);
                assertThat(watch.stop(Duration.ofSeconds(30)))
                        .as(watch.output())
                        .isZero();
            }
        }
        assertThat(CommandRun.of(List.of("admin", "queue", "lanes", "--watch", "61", "--set", url))
                        .status())
                .isEqualTo(2);
    }

    private String run(String... command) {
        return CommandRun.admin(redis, "queue", command);
    }
}
