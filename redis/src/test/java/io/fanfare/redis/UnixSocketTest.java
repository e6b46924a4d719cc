package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.secret.Secret;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that listens on a Unix socket and on no port. */
class UnixSocketTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLinkReachesItByTheKernelsTransportAndByThatOfTheJdk(boolean nativeTransport) {
        RedisProcess.Options options = RedisProcess.Options.in(dir)
                .socket(dir.resolve("a socket.sock"))
                .password(new Secret("p@ss: word"));
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(nativeTransport));
        RedisProcess server = RedisProcess.start(options);
        try {
            RedisLink link = await(RedisLink.open(
                    vertx,
                    new RedisOptions(
                            server.url(),
                            RedisOptions.Mode.STANDALONE,
                            Namespace.NONE,
                            List.of(),
                            new Secret(""),
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(5),
                            1000,
                            0,
                            Duration.ofSeconds(1))));
            assertThat(await(link.send(Command.of("SET", "a", "b"))).asString()).isEqualTo("OK");
            String node = link.nodes().get(0);
            assertThat(await(link.sendTo(node, Command.of("GET", "a"))).asString())
                    .isEqualTo("b");
            assertThat(RedisProcess.running(dir).orElseThrow().url()).isEqualTo(server.url());

            server.stop();
            assertThatThrownBy(() -> await(link.send(Command.of("GET", "a"))))
                    .isInstanceOfSatisfying(RedisError.class, error -> assertThat(error.kind())
                            .isIn(RedisError.Kind.UNAVAILABLE, RedisError.Kind.LOST));
            await(link.close());
        } finally {
            server.kill();
            await(vertx.close());
        }
    }
}
