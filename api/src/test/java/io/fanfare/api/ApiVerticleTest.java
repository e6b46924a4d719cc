package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ApiVerticleTest {
    private final TestRedis redis = TestRedis.standalone();

    @Test
    void aPortThatIsTakenEndsTheStartAndLeavesNoConnectionToRedis() throws IOException {
        try (ApiServer api = new ApiServer(redis);
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TestRedis.awaitUntil("the first one's connections are all there", () -> connections() > 1);
            long before = connections();
            Future<String> deployed =
                    api.vertx.deployVerticle(api.verticle(redis, "http.port=" + taken.getLocalPort()));
            TestRedis.awaitUntil("the start has ended", deployed::isComplete);

            assertThat(deployed.failed()).isTrue();
            TestRedis.awaitUntil("its connections are closed", () -> connections() <= before);
        }
    }

    private long connections() {
        return TestRedis.ask(redis.server(), "CLIENT", "LIST")
                .asString()
                .lines()
                .count();
    }
}
