package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator's view of the queue: each command to its end, on a Redis where a few jobs have died. */
@Timeout(120)
class AdminQueueTest {
    private final TestRedis redis = TestRedis.standalone();

    @BeforeEach
    void bury() {
        redis.flush();
        letter(2, 1_795_251_986_123L, "failed 12 times\t0 11 1795251980000 fan_out.1 8 12 0");
        letter(5, 1_795_251_987_000L, "malformed\trub\u001bbish");
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
                        "2026-11-21T09:06:27Z  shard 5  malformed  [rub?bish]",
                        "2026-11-21T09:06:26Z  shard 2  failed 12 times  [0 11 1795251980000 fan_out.1 8 12 0]");
        JsonArray one = new JsonArray(run("dead", "list", "--max", "1", "--json"));
        assertThat(one)
                .containsExactly(new JsonObject()
                        .put("shard", 5)
                        .put("died_at", "2026-11-21T09:06:27Z")
                        .put("reason", "malformed")
                        .put("job", "rub\u001bbish"));
    }

    @Test
    void replayedLettersWaitAgainAndTheOthersCanBeDropped() {
        assertThat(run("dead", "replay")).contains("1 dead letters wait again");
        assertThat(new JsonObject(run("stats", "--json")).getInteger("normal")).isEqualTo(1);
        assertThat(run("dead", "drop", "--max", "10", "--json")).contains("{\"dropped\":1}");
        assertThat(run("dead", "list")).contains("no dead letters");
    }

    private String run(String... command) {
        return CommandRun.admin(redis, "queue", command);
    }
}
