package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiVerticleTest {
    private static final int LOOPS = 4;

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

    @Test
    void noRequestIsAnsweredBeforeTheRoutesStand() throws Exception {
        int port = FreePort.find();
        List<String> answers = new ArrayList<>();
        try (ApiServer api = new ApiServer(TestRedis.standalone())) {
            Future<String> deployed = api.vertx.deployVerticle(
                    () -> api.verticle(TestRedis.standalone(), "http.port=" + port),
                    new DeploymentOptions().setInstances(LOOPS));
            while (!deployed.isComplete() || answers.isEmpty()) {
                try {
                    answers.add(statusLine(port));
                } catch (ConnectException notYet) {
                    Thread.onSpinWait();
                }
            }
            assertThat(deployed.succeeded()).isTrue();
        }
        assertThat(answers).containsOnly("HTTP/1.1 200 OK");
    }

    /** On a connection of its own, since each goes to another event loop. */
    private static String statusLine(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET /api/v1/instance HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    private static long connections(TestRedis redis) {
        return TestRedis.ask(redis.server(), "CLIENT", "LIST")
                .asString()
                .lines()
                .count();
    }
}
