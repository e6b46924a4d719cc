package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The answers to clients while the slot of a shard moves to another server. */
class MovingShardTest {
    @Test
    void usersOfAMovingShardReceiveRetryAfterAndOthersNoticeNothing() {
        try (TestRedis redis = TestRedis.freshCluster(AppendSync.OFF);
                ApiServer api = new ApiServer(redis.options(Duration.ofSeconds(4), 20_000))) {
            User ann = api.signUp("ann");
            User bob = IntStream.range(0, 100)
                    .mapToObj(i -> api.signUp("bob" + i))
                    .filter(user -> redis.serverOf(home(user)) != redis.serverOf(home(ann)))
                    .findFirst()
                    .orElseThrow();
            String status = api.publish(ann, "before");
            assertThat(api.post("/api/v1/accounts/" + ann.id() + "/follow", bob.token())
                            .status())
                    .isEqualTo(200);
            SlotMove move = SlotMove.begin(redis, home(ann));
            assertThat(post(api, ann, "first").status()).as("after a moment").isEqualTo(503);

            Stopwatch stopwatch = Stopwatch.start();
            Response refused = post(api, ann, "second");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(refused.text("/error")).contains("nothing was done");
            assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(503);
            assertThat(post(api, bob, "meanwhile").status()).isEqualTo(200);
            assertThat(api.get("/api/v1/timelines/home", bob.token()).each("id"))
                    .contains(status);
            assertThat(stopwatch.elapsed())
                    .as("less than one time-out of Redis")
                    .isLessThan(Duration.ofSeconds(4));

            move.finish();
            TestRedis.awaitUntil(
                    "it is answered again", () -> post(api, ann, "third").status() == 200);
        }
    }

    private static Response post(ApiServer api, User user, String text) {
        return api.post("/api/v1/statuses", user.token(), "status", text);
    }

    private static String home(User user) {
        return Keys.home(Long.parseLong(user.id()));
    }
}
