package io.fanfare.stream;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.OracleClient.Loss;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Nodes in processes of their own, a Redis of their own, and everything that can be done to them while a
 * {@link StreamOracle} publishes and listens.
 */
final class StreamFaults implements AutoCloseable {
    /** The faults, and how often of two hundred times each occurs. */
    enum Fault {
        /** {@code kill -9} of a node; another takes its place. */
        NODE_KILLED(36),
        /** SIGTERM: a node tells its clients to come back. */
        NODE_DRAINED(12),
        /** SIGSTOP of a node for seconds. */
        NODE_FROZEN(16),
        CLOCK_STEPPED(8),
        /** {@code CLIENT KILL TYPE pubsub}. */
        SUBSCRIPTIONS_CUT(36),
        /** {@code kill -9} of Redis, and again with its file. */
        REDIS_RESTARTED(10),
        /** FLUSHALL. */
        LOG_LOST(4),
        /** FLUSHALL and {@code kill -9} of Redis. */
        REDIS_RESTARTED_WITHOUT_LOG(4),
        CLIENTS_RESET(22),
        /** Half-open: the client is gone, the server does not know. */
        CLIENTS_SILENT(16),
        CLIENTS_STALLED(12),
        CLIENTS_SLOW(8),
        /** They come back with cursors at the edge of the log, and read slowly while the log loses what they read. */
        CLIENTS_OUTDATED(10),
        /** Everybody at once. */
        STORM(6);

        private final int times;

        Fault(int times) {
            this.times = times;
        }
    }

    private final TestRedis redis = TestRedis.freshStandalone(RedisProcess.AppendSync.ALWAYS);
    private final Random random;
    private final int logEvents;
    private final StreamServer server;
    private final StreamOracle oracle;
    private final List<NodeProcess> nodes = new CopyOnWriteArrayList<>();
    private final List<NodeProcess> leaving = new ArrayList<>();
    private final List<NodeProcess> frozen = new CopyOnWriteArrayList<>();
    private final Timer timer = new Timer("thaw", /* isDaemon= */ true);
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private final int clients;
    private Duration nodesCpu = Duration.ZERO;
    private int rate;
    private int kills;
    private double seconds;
    private int published;

    /** Starts it all. */
    StreamFaults(Random random, int nodes, int clients, String... settings) {
        this.random = random;
        this.clients = clients;
        List<String> all = new ArrayList<>(List.of(settings));
        all.addAll(List.of("stream.heartbeat=500ms", "stream.per-token-max=10000", "redis.command-timeout=5s"));
        server = StreamServer.withoutNode(redis, all.toArray(String[]::new));
        logEvents = server.logEvents();
        for (int i = 0; i < nodes; i++) {
            this.nodes.add(server.startProcess());
        }
        oracle = new StreamOracle(server, random);
        Awaitility.await("nodes").atMost(Duration.ofMinutes(1)).until(() -> this.nodes.stream()
                .allMatch(NodeProcess::isReady));
        oracle.ports(this::ports);
        oracle.connect(clients);
    }

    /** Each fault once, in any order. */
    static List<Fault> oneOfEach() {
        List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(faults, new Random(1));
        return faults;
    }

    /** So many faults of a deck of two hundred. */
    static List<Fault> deck(int howMany, Random random) {
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            faults.addAll(Collections.nCopies(fault.times, fault));
        }
        Collections.shuffle(faults, random);
        return faults.subList(0, howMany);
    }

    /** Also of nodes that stand still, since who comes does not know. */
    private List<Integer> ports() {
        return nodes.stream()
                .filter(NodeProcess::isReady)
                .map(NodeProcess::port)
                .toList();
    }

    /**
     * Does all that, in any order and at any time, so long apart on average, while so many events a second are
     * published.
     */
    void run(int eventsPerSecond, List<Fault> faults, int pauseMillis) {
        List<Fault> shuffled = new ArrayList<>(faults);
        Collections.shuffle(shuffled, random);
        rate = eventsPerSecond;
        int before = oracle.published();
        long begun = System.nanoTime();
        oracle.publishEachSecond(eventsPerSecond);
        for (Fault fault : shuffled) {
            pause(random.nextInt(pauseMillis * 2));
            happen(fault);
            done.merge(fault, 1, Integer::sum);
            kills++;
        }
        pause(pauseMillis);
        oracle.rest();
        seconds = (System.nanoTime() - begun) / 1e9;
        published = oracle.published() - before;
    }

    int kills() {
        return kills;
    }

    private void happen(Fault fault) {
        switch (fault) {
            case NODE_KILLED -> {
                NodeProcess node = another();
                node.kill();
            }
            case NODE_DRAINED -> another().stop();
            case NODE_FROZEN -> freeze(any(), window() * (20 + random.nextInt(30)) / 100);
            case CLOCK_STEPPED -> any().stepClock(Duration.ofMinutes(random.nextInt(2) == 0 ? 61 : -61));
            case SUBSCRIPTIONS_CUT -> cutSubscriptions(redis);
            case REDIS_RESTARTED -> redis.restart(redis.server());
            case LOG_LOST -> oracle.loseLog(() -> {});
            case REDIS_RESTARTED_WITHOUT_LOG -> oracle.loseLog(() -> redis.restart(redis.server()));
            case CLIENTS_RESET -> oracle.lose(clients / 10, Loss.RESET, 0);
            case CLIENTS_SILENT -> oracle.lose(clients / 20, Loss.SILENT, 0);
            case CLIENTS_STALLED -> oracle.pause(clients / 5, window() * 30 / 100);
            case CLIENTS_SLOW -> oracle.sip(clients / 10, window() * 30 / 100);
            case CLIENTS_OUTDATED -> oracle.outdate(clients / 20, window() * 90 / 100, window() * 40 / 100);
            case STORM -> oracle.lose(clients, Loss.RESET, 0);
        }
    }

    /** How long the log keeps an event, in milliseconds, about. */
    private long window() {
        return 1000L * logEvents / rate;
    }

    static void cutSubscriptions(TestRedis redis) {
        redis.servers().forEach(node -> TestRedis.ask(node, "CLIENT", "KILL", "TYPE", "pubsub"));
    }

    /** One that works, when another one does as well. */
    private NodeProcess any() {
        Awaitility.await("two nodes")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> working().size() > 1);
        List<NodeProcess> working = working();
        return working.get(random.nextInt(working.size()));
    }

    private List<NodeProcess> working() {
        return nodes.stream()
                .filter(node -> node.isReady() && !frozen.contains(node))
                .toList();
    }

    /** One that works and is on the list no more: another is about to take its place. */
    private NodeProcess another() {
        NodeProcess leaves = any();
        nodes.remove(leaves);
        nodes.add(server.startProcess());
        nodesCpu = nodesCpu.plus(leaves.cpu());
        leaving.add(leaves);
        return leaves;
    }

    private void freeze(NodeProcess node, long millis) {
        frozen.add(node);
        node.freeze();
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        node.thaw();
                        frozen.remove(node);
                    }
                },
                millis);
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The verdict, and the figures. */
    void judge() {
        Awaitility.await("no node stands still").atMost(Duration.ofSeconds(20)).until(frozen::isEmpty);
        report();
        long rested = System.nanoTime();
        oracle.judge();
        System.out.printf("judged in %.1f s%n", (System.nanoTime() - rested) / 1e9);
    }

    private void report() {
        for (NodeProcess node : nodes) {
            nodesCpu = nodesCpu.plus(node.cpu());
        }
        long ours = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toMillis();
        long redisCpu = ProcessHandle.of(redis.server().pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toMillis();
        long received = oracle.sum(Notes::received);
        System.out.printf(
                "kills=%d %s seconds=%.1f clients=%d published=%d per second=%.0f of %d heard=%d per second=%.0f bytes=%d"
                        + " sessions=%d gaps=%d changes=%d%n",
                kills,
                done,
                seconds,
                clients,
                published,
                published / seconds,
                rate,
                received,
                received / seconds,
                oracle.received(),
                oracle.sum(Notes::sessions),
                oracle.sum(Notes::gaps),
                oracle.sum(Notes::changes));
        System.out.printf(
                "cpu seconds: publisher and clients=%.1f nodes=%.1f redis since its start=%.1f; load=%.1f%n",
                ours / 1e3,
                nodesCpu.toMillis() / 1e3,
                redisCpu / 1e3,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    @Override
    public void close() {
        timer.cancel();
        oracle.close();
        nodes.forEach(NodeProcess::close);
        leaving.forEach(NodeProcess::close);
        server.close();
        redis.close();
    }
}
