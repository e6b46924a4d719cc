package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator's view of apps: each command to its end, on a Redis with two that nobody has logged in with. */
@Timeout(120)
class AdminAppsTest {
    private final TestRedis redis = TestRedis.standalone();

    @BeforeEach
    void register() {
        redis.flush();
        unclaimed("old", "An\u001bold one", 1_795_251_986_123L);
        unclaimed("new", "A new one", System.currentTimeMillis());
        hash("kept", "Tusky");
    }

    private void unclaimed(String client, String name, long activeAt) {
        hash(client, name);
        String key = Keys.app(client);
        redis.askAt(key, "EXPIRE", key, "1000");
        redis.askAt(Keys.UNCLAIMED_APPS, "ZADD", Keys.UNCLAIMED_APPS, Long.toString(activeAt), client);
    }

    private void hash(String client, String name) {
        String key = Keys.app(client);
        redis.askAt(key, "HSET", key, "secret", "x", "name", name);
    }

    @Test
    void theListShowsWhatNobodyHasLoggedInWithTheOldestFirst() {
        assertThat(run("list").lines()).first().isEqualTo("2026-11-21T09:06:26Z  old  An?old one");
        assertThat(run("list")).contains("A new one").doesNotContain("Tusky");
        assertThat(new JsonArray(run("list", "--max", "1", "--json")))
                .containsExactly(new JsonObject()
                        .put("client_id", "old")
                        .put("name", "An\u001bold one")
                        .put("active_at", "2026-11-21T09:06:26Z"));
    }

    @Test
    void aPurgeForgetsThoseThatAreOlder() {
        assertThat(run("purge")).contains("1 apps forgotten");
        assertThat(run("list")).contains("A new one").doesNotContain("old one");
        assertThat(run("purge", "--older-than", "0", "--json")).contains("{\"purged\":1}");
        assertThat(run("list")).contains("no apps that nobody has logged in with");
        assertThat(redis.askAt(Keys.app("kept"), "HGET", Keys.app("kept"), "name")
                        .asString())
                .isEqualTo("Tusky");
    }

    private String run(String... command) {
        return CommandRun.admin(redis, "apps", command);
    }
}
