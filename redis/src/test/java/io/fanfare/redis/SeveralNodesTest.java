package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.askIn;
import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A {@code redis.url} that names several nodes. */
class SeveralNodesTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void aClusterIsFoundThroughAnyNodeThatIsThere() {
        TestRedis redis = TestRedis.cluster();
        String away = "127.0.0.1:" + FreePort.find();
        RedisLink link =
                await(RedisLink.open(vertx, at(redis, away, node(redis.servers().get(2)))));

        assertThat(await(link.send(Command.routed("PING", null))).asString()).isEqualTo("PONG");
        String[] masters = redis.servers().stream().map(SeveralNodesTest::node).toArray(String[]::new);
        assertThat(link.known()).containsExactlyInAnyOrder(masters);
        assertThat(link.nodes()).containsExactlyInAnyOrder(masters);
        await(link.close());
    }

    @Test
    void aNodeThatHasLeftItsClusterIsPassedOver() {
        try (TestRedis left = TestRedis.freshStandalone(AppendSync.OFF, "cluster-enabled yes")) {
            TestRedis redis = TestRedis.cluster();
            RedisLink link = await(RedisLink.open(vertx, at(redis, node(left.server()), node(redis.server()))));
            assertThat(link.nodes()).hasSize(3).doesNotContain(node(left.server()));
            await(link.close());
        }
    }

    @Test
    void whenNoNodeIsThereEachIsNamedWithItsReason() {
        for (TestRedis redis : List.of(TestRedis.standalone(), TestRedis.cluster())) {
            String one = "127.0.0.1:" + FreePort.find();
            String other = "127.0.0.1:" + FreePort.find();
            assertThatThrownBy(() -> await(RedisLink.open(vertx, at(redis, one, other))))
                    .isInstanceOfSatisfying(
                            RedisError.class, error -> assertThat(error.kind()).isEqualTo(RedisError.Kind.UNAVAILABLE))
                    .hasMessageContaining("none of the nodes of redis.url can be used: ")
                    .hasMessageContaining("Redis does not answer at " + one)
                    .hasMessageContaining("Redis does not answer at " + other);
        }
    }

    @Test
    void ofSeveralServersTheMasterIsUsedAndTheNextOneAfterItsFailover() {
        try (TestRedis first = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis second = TestRedis.freshStandalone(AppendSync.OFF)) {
            follow(first, second.server(), first.server());
            RedisLink link = await(RedisLink.open(vertx, at(first, node(second.server()), node(first.server()))));
            assertThat(await(link.send(Command.of("SET", "a", "1"))).asString()).isEqualTo("OK");
            awaitUntil("replicated", () -> askIn(second.server(), "GET", "a").asString() != null);

            first.server().kill();
            ask(second.server(), "REPLICAOF", "NO", "ONE");

            awaitUntil("the next master", () -> isWritten(link));
            assertThat(askIn(second.server(), "GET", "b").asString()).isEqualTo("2");
            await(link.close());
        }
    }

    @Test
    void serversOfWhichTwoAreMastersAreNotUsed() {
        try (TestRedis first = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis second = TestRedis.freshStandalone(AppendSync.OFF)) {
            assertThatThrownBy(
                            () -> await(RedisLink.open(vertx, at(first, node(first.server()), node(second.server())))))
                    .hasMessageContaining("several nodes of redis.url are masters")
                    .hasMessageContaining(node(first.server()))
                    .hasMessageContaining(node(second.server()));
        }
    }

    private static void follow(TestRedis redis, RedisProcess replica, RedisProcess master) {
        redis.letReplicate(replica);
        ask(replica, "REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
        awaitUntil(
                "it follows",
                () -> ask(replica, "INFO", "replication").asString().contains("master_link_status:up"));
    }

    private static boolean isWritten(RedisLink link) {
        return await(link.pipeline(List.of(Command.of("SET", "b", "2")))).stream()
                .noneMatch(Reply::isFailure);
    }

    private static String node(RedisProcess server) {
        return "127.0.0.1:" + server.port();
    }

    private static RedisOptions at(TestRedis redis, String... nodes) {
        RedisOptions one = redis.options();
        RedisOptions at = one.alone(nodes[0]);
        return at.at(RedisOptions.urlWith(at.url(), Arrays.asList(nodes)));
    }
}
