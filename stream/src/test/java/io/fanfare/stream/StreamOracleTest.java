package io.fanfare.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.OracleClient.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Many clients of every kind, while nodes come and go, connections are cut and readers stall: {@link StreamOracle} says
 * whether anybody missed anything without being told.
 */
class StreamOracleTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Nodes that run, by their number in the server. */
    private final List<Integer> nodes = new ArrayList<>();

    @ParameterizedTest
    @KindsOfRedis
    void afterAnyCutEveryClientReceivesEveryEventOnceAndInOrder(TestRedis.Kind kind) {
        TestRedis redis = kind.redis();
        redis.flush();
        try (StreamServer server = StreamServer.start(
                        redis, "stream.ring-events=100", "stream.heartbeat=200ms", "stream.per-token-max=1000");
                StreamOracle oracle = new StreamOracle(server, random)) {
            begin(server, oracle, 140);
            for (int i = 0; i < 1000; i++) {
                oracle.publish(2);
                if (random.nextInt(40) == 0) {
                    oracle.lose(5, Loss.CLOSED, 0);
                }
                if (random.nextInt(100) == 0) {
                    oracle.pause(20, 300);
                }
                if (random.nextInt(200) == 0) {
                    StreamFaults.cutSubscriptions(redis);
                }
                if (random.nextInt(300) == 0) {
                    replaceNode(server);
                }
            }
            oracle.judge();
            report(oracle);
            assertThat(oracle.sum(Notes::sessions)).isGreaterThan(200);
            assertThat(oracle.sum(Notes::changes)).isGreaterThan(20);
            assertThat(oracle.sum(Notes::gaps)).isZero();
        }
    }

    /** The log keeps so little that slow readers fall out of it: then a gap says exactly what they have missed. */
    @Test
    void aClientTooSlowForTheLogGetsAGap() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(
                        redis,
                        "stream.ring-events=100",
                        "stream.log-events=200",
                        "stream.heartbeat=200ms",
                        "stream.per-token-max=1000");
                StreamOracle oracle = new StreamOracle(server, random)) {
            begin(server, oracle, 70);
            for (int i = 0; i < 1000; i++) {
                oracle.publish(2);
                if (random.nextInt(100) == 0) {
                    oracle.pause(30, 2000);
                }
                if (random.nextInt(50) == 0) {
                    oracle.lose(5, Loss.RESET, random.nextInt(500));
                }
            }
            oracle.judge();
            report(oracle);
            assertThat(oracle.sum(Notes::gaps)).isPositive();
        }
    }

    @Test
    @Tag("programs")
    void noKindOfFaultLosesAnything() {
        try (StreamFaults faults =
                new StreamFaults(random, 2, 120, "stream.ring-events=500", "stream.log-events=1500")) {
            System.out.println("seed=" + seed);
            faults.run(500, StreamFaults.oneOfEach(), 150);
            faults.judge();
        }
    }

    /**
     * The long form. {@code -Doracle.rate} events a second, {@code -Doracle.pause} milliseconds between kills, on
     * average.
     */
    @Test
    @Tag("faults")
    void twoHundredKillsLoseNothing() {
        int rate = Integer.getInteger("oracle.rate", 2000);
        int kills = Integer.getInteger("oracle.kills", 200);
        try (StreamFaults faults = new StreamFaults(
                random,
                3,
                Integer.getInteger("oracle.clients", 1000),
                "stream.ring-events=4000",
                "stream.log-events=" + 10 * rate)) {
            System.out.println("seed=" + seed);
            faults.run(rate, StreamFaults.deck(kills, random), Integer.getInteger("oracle.pause", 1000));
            assertThat(faults.kills()).isEqualTo(kills);
            faults.judge();
        }
    }

    private void begin(StreamServer server, StreamOracle oracle, int clients) {
        System.out.println("seed=" + seed);
        nodes.add(0);
        nodes.add(server.addNode());
        oracle.ports(() -> ports(server));
        oracle.connect(clients);
    }

    private List<Integer> ports(StreamServer server) {
        synchronized (nodes) {
            return nodes.stream().map(server::port).toList();
        }
    }

    /** A node goes as after a signal, another comes; clients are told of the new one first. */
    private void replaceNode(StreamServer server) {
        int fresh = server.addNode();
        int old;
        synchronized (nodes) {
            old = nodes.remove(random.nextInt(nodes.size()));
            nodes.add(fresh);
        }
        server.stopNode(old);
    }

    private static void report(StreamOracle oracle) {
        System.out.println("published=" + oracle.published() + " heard="
                + oracle.sum(Notes::received) + " sessions="
                + oracle.sum(Notes::sessions) + " gaps="
                + oracle.sum(Notes::gaps) + " changes=" + oracle.sum(Notes::changes));
    }
}
