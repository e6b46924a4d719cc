package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that removes something is acknowledged once replicas have it. */
class ReplicaWaitTest {
    private static final String KEY = "{waited}";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private Vertx vertx;
    private TestRedis redis;
    private RedisProcess master;
    private RedisProcess replica;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        redis = TestRedis.freshCluster(AppendSync.OFF);
        master = redis.serverOf(KEY);
        replica = redis.replicaOf(master);
    }

    @AfterEach
    void stop() {
        await(vertx.close());
        redis.close();
    }

    @Test
    void anAcknowledgedWriteIsOnTheReplicaAndOneThatItLacksInTimeIsOnlyDone() {
        RedisLink link = await(RedisLink.open(vertx, redis.options().waiting(1, TIMEOUT)));
        for (int i = 1; i <= 20; i++) {
            long before = offset(master, "master_repl_offset:");
            assertThat(await(link.sendSafely(Command.of("INCR", KEY))).asLong()).isEqualTo(i);
            assertThat(offset(replica, "slave_repl_offset:")).isGreaterThan(before);
        }
        assertThat(await(link.send(Command.of("INCR", KEY))).asLong()).isEqualTo(21);
        assertThat(calls(master)).as("WAITs, of ordinary writes none").isEqualTo(20);

        redis.holdReplication(master, replica);
        List<Future<Reply>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(link.sendSafely(Command.of("INCR", KEY)));
        }
        Stopwatch stopwatch = Stopwatch.start();
        assertThat(await(link.send(Command.of("GET", KEY))).asLong()).isEqualTo(24);
        assertThat(stopwatch.elapsed()).as("they hold up nothing").isLessThan(TIMEOUT);
        for (Future<Reply> each : waiting) {
            assertThatThrownBy(() -> await(each))
                    .isInstanceOfSatisfying(
                            RedisError.class, error -> assertThat(error.kind()).isEqualTo(RedisError.Kind.LOST))
                    .hasMessageContaining("redis.wait-replicas");
        }
    }

    private static long offset(RedisProcess server, String name) {
        return ask(server, "INFO", "replication")
                .asString()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    private static long calls(RedisProcess server) {
        return ask(server, "INFO", "commandstats")
                .asString()
                .lines()
                .filter(line -> line.startsWith("cmdstat_wait:calls="))
                .mapToLong(line -> Long.parseLong(line.substring("cmdstat_wait:calls=".length(), line.indexOf(','))))
                .sum();
    }
}
