package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code fanfare admin stats memory}, on a Redis whose content is known. */
@Timeout(120)
class AdminStatsTest {
    private static final int STATUSES = 3_000;

    private final TestRedis redis = TestRedis.standalone();

    @BeforeEach
    void fill() {
        redis.flush();
        // Ids of shard 3: the counter has two bits, the shard ten.
        for (int i = 1; i <= STATUSES; i++) {
            String status = Keys.status(i * 4096L + 3 * 4);
            redis.askAt(status, "HSET", status, "uid", "1", "text", "x".repeat(140));
        }
        String big = Keys.following(4096 + 5 * 4);
        for (int i = 0; i < 2_000; i += 4) {
            redis.askAt(
                    big,
                    "ZADD",
                    big,
                    "" + i,
                    "m" + i,
                    "" + (i + 1),
                    "m" + (i + 1),
                    "" + (i + 2),
                    "m" + (i + 2),
                    "" + i,
                    "x" + i);
        }
        redis.askAt("stranger\u001b", "SET", "stranger\u001b", "x".repeat(1000));
    }

    private String memory(String... more) {
        String[] command = new String[more.length + 1];
        command[0] = "memory";
        System.arraycopy(more, 0, command, 1, more.length);
        return CommandRun.admin(redis, "stats", command);
    }

    private static JsonObject named(JsonArray parts, String name, String value) {
        return parts.stream()
                .map(part -> (JsonObject) part)
                .filter(part -> part.getString(name).equals(value))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void familiesShardsAndBigKeysAreMeasured() {
        JsonObject all = new JsonObject(memory("--json", "--top", "2"));
        assertThat(all.getLong("keys")).isEqualTo(STATUSES + 2);
        assertThat(all.getLong("sampled_keys")).isEqualTo(STATUSES + 2);
        JsonObject status = named(all.getJsonArray("families"), "family", "status");
        assertThat(status.getLong("keys")).isEqualTo(STATUSES);
        String first = Keys.status(4096 + 3 * 4);
        long each = redis.askAt(first, "MEMORY", "USAGE", first).asLong();
        assertThat(status.getLong("bytes")).isBetween(each * STATUSES, (each + 16) * STATUSES);
        assertThat(named(all.getJsonArray("shards"), "shard", "3").getLong("keys"))
                .isEqualTo(STATUSES);
        assertThat(named(all.getJsonArray("shards"), "shard", "5").getLong("keys"))
                .isEqualTo(1);
        assertThat(all.getJsonArray("big_keys")).hasSize(2);
        assertThat(all.getJsonArray("big_keys").getJsonObject(0).getString("key"))
                .isEqualTo(Keys.following(4096 + 5 * 4));
        assertThat(all.getLong("used_bytes")).isGreaterThan(status.getLong("bytes"));
    }

    @Test
    void aSampleIsMultipliedAndItsWorkIsBounded() {
        JsonObject sampled = new JsonObject(memory("--json", "--sample", "1000"));
        // SCAN hands out a little more than it is asked for.
        assertThat(sampled.getLong("sampled_keys")).isBetween(1_000L, 1_600L);
        assertThat(sampled.getLong("keys")).isEqualTo(STATUSES + 2);
        assertThat(named(sampled.getJsonArray("families"), "family", "status").getLong("keys"))
                .isBetween(STATUSES - 10L, STATUSES + 10L);
    }

    @Test
    void aKeyOfWhichThereIsOneOrOneAnHourIsNeitherMultipliedNorMissed() {
        redis.askAt(Keys.PUBLIC, "ZADD", Keys.PUBLIC, "1", "x".repeat(100_000));
        redis.askAt(Keys.NAMES, "ZADD", Keys.NAMES, "1", "x".repeat(100_000));
        long hour = Duration.ofMillis(System.currentTimeMillis()).toHours();
        for (long before : new long[] {0, 5, 700}) {
            String subjects = Keys.busSubjects(hour - before);
            redis.askAt(subjects, "HSET", subjects, "1", "x".repeat(100_000));
        }
        JsonObject sampled = new JsonObject(memory("--json", "--sample", "1"));
        assertThat(sampled.getLong("sampled_keys")).isLessThan(STATUSES / 2);
        Map.of(Keys.PUBLIC, 1L, Keys.NAMES, 1L, "{bus}:told", 3L).forEach((name, keys) -> {
            JsonObject family = named(sampled.getJsonArray("families"), "family", name);
            assertThat(family.getLong("keys")).isEqualTo(keys);
            assertThat(family.getLong("bytes")).isBetween(keys * 100_000, keys * 150_000);
        });
    }

    @Test
    void theTableIsForPeople() {
        String table = memory();
        assertThat(table)
                .contains(", all looked at", "family", "largest shards", "stranger?")
                .containsPattern("status +3,000 +[0-9,]+ +[0-9,]+ +[0-9.]+%")
                .containsPattern("\\(unknown\\) +1 ");
        assertThat(memory("--sample", "500")).contains("estimated from ");
    }
}
