package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.embedded.RedisProcess.AppendSync;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ApiVerticleTest {
    @Test
    void aPortThatIsTakenEndsTheStartAndLeavesNoConnectionToRedis() throws IOException {
        try (ApiServer api = new ApiServer(TestRedis.standalone());
                TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<String> deployed =
                    api.vertx.deployVerticle(api.verticle(redis, "http.port=" + taken.getLocalPort()));
            TestRedis.awaitUntil("the start has ended", deployed::isComplete);

            assertThat(deployed.failed()).isTrue();
            // All but the one that asks.
            TestRedis.awaitUntil("its connections are closed", () -> connections(redis) == 1);
        }
    }

    private static long connections(TestRedis redis) {
        return TestRedis.ask(redis.server(), "CLIENT", "LIST")
                .asString()
                .lines()
                .count();
    }
}
