package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One node of a cluster is nearly full, and the others are not. */
class FullNodeTest {
    @Test
    void writesToAFullNodeAreRefusedAndTheOthersGoOn() {
        try (TestRedis redis = TestRedis.freshCluster(AppendSync.OFF);
                ApiServer api = new ApiServer(redis)) {
            RedisProcess ofLog = redis.serverOf(Keys.BUS_SEQ);
            List<User> users =
                    IntStream.range(0, 60).mapToObj(i -> api.signUp("user" + i)).toList();
            User there = first(users, user -> redis.serverOf(home(user)) != ofLog);
            RedisProcess full = redis.serverOf(home(there));
            List<User> elsewhere = users.stream()
                    .filter(user -> redis.serverOf(home(user)) != full)
                    .toList();
            User ann = elsewhere.get(0);
            User bob = elsewhere.get(1);
            String status = api.publish(there, "before");
            String other = api.publish(bob, "before");
            fill(redis, full);

            TestRedis.awaitUntil("it is refused", () -> post(api, there).status() == 503);
            assertThat(post(api, there).header("Retry-After")).isPresent();
            assertThat(post(api, ann).status()).isEqualTo(200);
            assertThat(api.post("/api/v1/statuses/" + status + "/favourite", ann.token())
                            .status())
                    .isEqualTo(503);
            assertThat(api.post("/api/v1/statuses/" + other + "/favourite", ann.token())
                            .status())
                    .isEqualTo(200);
            assertThat(api.post("/api/v1/accounts/" + there.id() + "/follow", ann.token())
                            .status())
                    .isEqualTo(503);
            assertThat(api.post("/api/v1/accounts/" + bob.id() + "/follow", ann.token())
                            .status())
                    .isEqualTo(200);
            assertThat(api.post("/api/v1/statuses/" + other + "/favourite", there.token())
                            .status())
                    .as("what somebody there likes elsewhere")
                    .isEqualTo(503);
            assertThat(api.askToSignUp("late").status())
                    .as("an account may get any shard")
                    .isEqualTo(503);
            drain(full);
            TestRedis.awaitUntil("it is taken again", () -> post(api, there).status() == 200);
            assertThat(api.askToSignUp("later").status()).isEqualTo(200);

            fill(redis, ofLog);
            TestRedis.awaitUntil(
                    "whatever streams hear of is refused",
                    () -> post(api, there).status() == 503);
            assertThat(api.post("/api/v1/accounts/" + there.id() + "/follow", bob.token())
                            .status())
                    .isEqualTo(503);
            drain(ofLog);
            TestRedis.awaitUntil("it is taken again", () -> post(api, there).status() == 200);
        }
    }

    private static void drain(RedisProcess node) {
        assertThat(TestRedis.ask(node, "CONFIG", "SET", "maxmemory", "0").asString())
                .isEqualTo("OK");
    }

    private static User first(List<User> users, Predicate<User> condition) {
        return users.stream().filter(condition).findFirst().orElseThrow();
    }

    private static void fill(TestRedis redis, RedisProcess node) {
        String ballast = IntStream.range(0, 1000)
                .mapToObj(i -> "ballast" + i)
                .filter(key -> redis.serverOf(key) == node)
                .findFirst()
                .orElseThrow();
        redis.askAt(ballast, "SETRANGE", ballast, "32000000", "x");
        long used = TestRedis.ask(node, "INFO", "memory")
                .asString()
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .findFirst()
                .orElseThrow();
        assertThat(TestRedis.ask(node, "CONFIG", "SET", "maxmemory", Long.toString(used * 10 / 9))
                        .asString())
                .isEqualTo("OK");
    }

    private static Response post(ApiServer api, User user) {
        return api.post("/api/v1/statuses", user.token(), "status", "text");
    }

    private static String home(User user) {
        return Keys.home(Long.parseLong(user.id()));
    }
}
