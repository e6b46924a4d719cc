package io.fanfare.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.embedded.RedisProcess;
import io.fanfare.common.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many clients of every kind, while nodes come and go, connections are cut and readers stall: {@link StreamOracle} says whether anybody missed anything without being told. */
class StreamOracleTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Nodes that run, by their number in the server. */
    private final List<Integer> nodes = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void whateverIsCutEverybodyHearsEverythingOnceAndInOrder(TestRedis.Kind kind) {
        TestRedis redis = kind.redis();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100", "stream.heartbeat=200ms");
                StreamOracle oracle = new StreamOracle(server, random)) {
            begin(server, oracle, 140);
            for (int i = 0; i < 1500; i++) {
                oracle.publish();
                if (random.nextInt(40) == 0) {
                    oracle.cutClients(5);
                }
                if (random.nextInt(100) == 0) {
                    oracle.pauseClients(20, 300);
                }
                if (random.nextInt(200) == 0) {
                    cutSubscriptions(redis);
                }
                if (random.nextInt(300) == 0) {
                    replaceNode(server, oracle);
                }
            }
            oracle.judge();
            report(oracle);
            assertThat(oracle.sum(OracleClient::sessions)).isGreaterThan(200);
            assertThat(oracle.sum(OracleClient::gaps)).isZero();
        }
    }

    /** The log keeps so little that slow readers fall out of it: then a gap says exactly what they have missed. */
    @Test
    void whoIsTooSlowForTheLogIsToldWhatIsMissing() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(
                        redis, "stream.ring-events=100", "stream.log-events=300", "stream.heartbeat=200ms");
                StreamOracle oracle = new StreamOracle(server, random)) {
            begin(server, oracle, 70);
            for (int i = 0; i < 2000; i++) {
                oracle.publish();
                if (random.nextInt(200) == 0) {
                    oracle.pauseClients(30, 1500);
                }
                if (random.nextInt(100) == 0) {
                    oracle.cutClients(5);
                }
            }
            oracle.judge();
            report(oracle);
            assertThat(oracle.sum(OracleClient::gaps)).isPositive();
        }
    }

    @Test
    @Tag("faults")
    void twoHundredKillsLoseNothing() {
        Duration most = Duration.ofSeconds(Long.getLong("oracle.seconds", 180));
        try (TestRedis redis = TestRedis.freshStandalone(RedisProcess.AppendSync.ALWAYS);
                StreamServer server = StreamServer.start(
                        redis, "stream.ring-events=2000", "stream.heartbeat=500ms", "redis.command-timeout=5s");
                StreamOracle oracle = new StreamOracle(server, random)) {
            oracle.inFlight(20);
            begin(server, oracle, 1000);
            long begun = System.nanoTime();
            int kills = 0;
            while (kills < 200 && System.nanoTime() - begun < most.toNanos()) {
                long turn = System.nanoTime();
                // 2000 events a second where the machine is fast enough for that, and a kill every half second.
                for (int i = 0; i < 50; i++) {
                    oracle.publish();
                    long due = turn + (i + 1) * 10_000_000L;
                    while (System.nanoTime() < due) {
                        Thread.onSpinWait();
                    }
                }
                kill(redis, server, oracle);
                kills++;
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            oracle.judge();
            report(oracle);
            System.out.printf(
                    "kills=%d seconds=%.0f events per second=%.0f%n", kills, seconds, oracle.published() / seconds);
            assertThat(kills).isEqualTo(200);
        }
    }

    private void kill(TestRedis redis, StreamServer server, StreamOracle oracle) {
        switch (random.nextInt(10)) {
            case 0 -> redis.restart(redis.server());
            case 1, 2 -> replaceNode(server, oracle);
            case 3, 4, 5 -> cutSubscriptions(redis);
            case 6 -> oracle.pauseClients(200, 3000);
            default -> oracle.cutClients(100);
        }
    }

    private void begin(StreamServer server, StreamOracle oracle, int clients) {
        System.out.println("seed=" + seed);
        nodes.add(0);
        nodes.add(server.addNode());
        oracle.ports(nodes.stream().map(server::port).toList());
        oracle.connect(clients);
    }

    private static void cutSubscriptions(TestRedis redis) {
        redis.servers().forEach(node -> TestRedis.ask(node, "CLIENT", "KILL", "TYPE", "pubsub"));
    }

    /** A node goes as after a signal, another comes; clients are told of the new one first. */
    private void replaceNode(StreamServer server, StreamOracle oracle) {
        int old = nodes.remove(random.nextInt(nodes.size()));
        nodes.add(server.addNode());
        oracle.ports(nodes.stream().map(server::port).toList());
        server.stopNode(old);
    }

    private static void report(StreamOracle oracle) {
        System.out.println("published=" + oracle.published() + " heard=" + oracle.sum(OracleClient::heard)
                + " sessions=" + oracle.sum(OracleClient::sessions) + " gaps=" + oracle.sum(OracleClient::gaps));
    }
}
