package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss://}: a server without a trusted certificate does not get the password. */
class RedisTlsTest {
    @TempDir
    Path dir;

    @Test
    void aServerWithACertificateOfItsOwnMakingIsRefused() {
        Vertx vertx = Vertx.vertx();
        Buffer received = Buffer.buffer();
        try {
            Queue<String> alerts = new ConcurrentLinkedQueue<>();
            NetServer server = vertx.createNetServer(new NetServerOptions()
                            .setHost("127.0.0.1")
                            .setSsl(true)
                            .setKeyCertOptions(new PfxOptions()
                                    .setPath(TestCertificate.in(dir).keys().toString())
                                    .setPassword(TestCertificate.PASSWORD)))
                    .exceptionHandler(cause -> alerts.add(cause.getMessage()))
                    .connectHandler(socket -> socket.handler(bytes -> {
                        received.appendBuffer(bytes);
                        socket.write("+OK\r\n").onFailure(gone -> {});
                    }));
            int port = TestRedis.await(server.listen(0)).actualPort();
            RedisOptions options = new RedisOptions(
                    new Secret("rediss://fanfare:canary@localhost:" + port),
                    RedisOptions.Mode.STANDALONE,
                    Namespace.NONE,
                    List.of(),
                    new Secret(""),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    1000,
                    0,
                    Duration.ofSeconds(1));

            Future<RedisLink> opened = RedisLink.open(vertx, options);

            TestRedis.awaitUntil("opened or not", opened::isComplete);
            assertThat(opened.cause())
                    .hasMessageContaining("Redis does not answer")
                    .hasMessageNotContaining("canary");
            TestRedis.awaitUntil("the server is told why", () -> alerts.stream()
                    .anyMatch(alert -> alert.contains("certificate_unknown")));
            assertThat(received.toString()).isEmpty();
        } finally {
            TestRedis.await(vertx.close());
        }
    }
}
