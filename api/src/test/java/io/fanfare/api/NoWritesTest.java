package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Redis serves reads and refuses writes, as on a full disk, with all limits of requests on. */
class NoWritesTest {
    @Test
    void writesAreRefusedWithASentenceAndReadsDoWithoutWhatTheyWouldWrite() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                ApiServer api = new ApiServer(redis, "limits.enabled=true")) {
            User ann = api.signUp("ann");
            User bob = api.signUp("bob");
            String status = api.publish(ann, "before");
            TestRedis.askIn(redis.server(), "DEL", Keys.home(Long.parseLong(bob.id())));
            setReplicasNeeded(redis, 1);

            for (Response refused : List.of(
                    api.post("/api/v1/statuses", ann.token(), "status", "during"),
                    api.post("/api/v1/statuses/" + status + "/favourite", bob.token()),
                    api.post("/api/v1/accounts/" + ann.id() + "/follow", bob.token()),
                    api.delete("/api/v1/statuses/" + status, ann.token()),
                    api.askToSignUp("eve"))) {
                assertThat(refused.status())
                        .as(refused.raw().uri() + " " + refused.body())
                        .isEqualTo(503);
                assertThat(refused.text("/error")).contains("takes no writes");
                assertThat(refused.header("Retry-After")).isPresent();
            }
            for (User reader : List.of(ann, bob)) {
                for (String path : List.of(
                        "/api/v1/timelines/home",
                        "/api/v1/notifications",
                        "/api/v1/accounts/verify_credentials",
                        "/api/v1/accounts/" + ann.id(),
                        "/api/v1/accounts/" + ann.id() + "/statuses",
                        "/api/v1/statuses/" + status,
                        "/api/v2/instance")) {
                    Response read = api.get(path, reader.token());
                    assertThat(read.status()).as(path + " " + read.body()).isEqualTo(200);
                }
            }
            assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                    .containsExactly(status);

            setReplicasNeeded(redis, 0);
            assertThat(api.post("/api/v1/statuses", ann.token(), "status", "after")
                            .status())
                    .isEqualTo(200);
            assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                    .hasSize(2);
        }
    }

    private static void setReplicasNeeded(TestRedis redis, int replicas) {
        assertThat(TestRedis.ask(redis.server(), "CONFIG", "SET", "min-replicas-to-write", Integer.toString(replicas))
                        .asString())
                .isEqualTo("OK");
    }
}
