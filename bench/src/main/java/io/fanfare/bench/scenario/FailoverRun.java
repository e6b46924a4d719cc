package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.AuthorDraw;
import io.fanfare.bench.load.Authors;
import io.fanfare.bench.load.BenchCluster;
import io.fanfare.bench.load.ClusterFaults;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.ServiceProcesses;
import io.fanfare.bench.replay.Firehose;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.scenario.FailoverWindow.Fault;
import io.fanfare.common.id.Id;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The load of {@code bench failover} and its faults, one after the other. For the command's main thread. */
final class FailoverRun {
    /** Longer than any election. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A request that waits for longer waits because of a fault. */
    private static final long FLUENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_MILLIS = 20;

    private final EventLoop loop;
    private final Plan plan;
    private final Random random;
    private final SocialGraph graph;
    private final BenchCluster cluster;
    private final ClusterFaults faults;
    private final DataSet data;
    private final List<FailoverWindow> windows = new ArrayList<>();
    private FailoverLoad load;

    /**
     * The load and the faults.
     *
     * @param postsPerSecond in open loop, as the reads
     * @param failovers in a row, the kinds in turn
     * @param slots of shards that move between two failovers
     * @param behindMillis how long a replica is cut off before its master is killed
     * @param warmUpNanos of load that does not count, until Java has compiled the servers
     * @param pauseNanos before each fault, in quiet
     */
    record Plan(
            double postsPerSecond,
            double readsPerSecond,
            int failovers,
            int slots,
            int behindMillis,
            long warmUpNanos,
            long pauseNanos) {}

    /** Makes the accounts, and a home and a post of each user. */
    FailoverRun(EventLoop loop, Plan plan, SocialGraph graph, BenchCluster cluster, long seed) {
        this.loop = loop;
        this.plan = plan;
        this.graph = graph;
        this.cluster = cluster;
        random = new Random(seed);
        faults = new ClusterFaults(cluster);
        data = new DataSet(loop, cluster.link(), cluster.settings(), graph);
        List<Long> unused = data.postAndBuildHomes(1);
    }

    /**
     * The windows of the faults, and the state afterwards.
     *
     * @param warmNanos when the warm-up had ended
     * @param windows in the order of the faults
     * @param generations of shards, and epochs of the log, that the worker began
     * @param repaired differences that the worker has repaired
     */
    record Outcome(
            long warmNanos,
            List<FailoverWindow> windows,
            FailoverLoad load,
            FailoverCheck.AtRest atRest,
            long generations,
            long repaired) {}

    /** Runs all of it; throws {@link BenchFailed} when it cannot be carried through. */
    Outcome run() {
        try (ServiceProcesses processes = ServiceProcesses.start(cluster.serverEnvironment())) {
            List<String> tokens =
                    data.tokens(IntStream.range(0, graph.users()).boxed().toList());
            load = loop.call(() -> new FailoverLoad(
                    loop.vertx(),
                    processes.apiPort(),
                    tokens,
                    new AuthorDraw(graph, Authors.FOLLOWERS, new Random(random.nextLong())),
                    new Random(random.nextLong()),
                    plan.postsPerSecond(),
                    plan.readsPerSecond(),
                    PATIENCE));
            URI stream = URI.create("http://127.0.0.1:" + processes.streamPort());
            Firehose firehose = loop.call(() -> new Firehose(loop.vertx(), () -> stream, "", System::nanoTime));
            try {
                loop.run(firehose::listen);
                loop.run(() -> done(load::begin));
                pause(plan.warmUpNanos());
                long warmNanos = System.nanoTime();
                for (int i = 0; i < plan.failovers(); i++) {
                    move();
                    failOver(Fault.IN_TURN.get(i % Fault.IN_TURN.size()));
                }
                pause(plan.pauseNanos());
                loop.run(() -> done(load::end));
                awaitLoad("to be answered", load::isOver);
                FailoverCheck.AtRest atRest = new FailoverCheck(loop, cluster, data, graph, load, firehose).run();
                return new Outcome(
                        warmNanos,
                        List.copyOf(windows),
                        load,
                        atRest,
                        Long.parseLong(processes.worker().ask("fanfare.failovers")),
                        Long.parseLong(processes.worker().ask("fanfare.failovers.repaired")));
            } finally {
                loop.run(() -> Future.join(firehose.close(), load.close()));
            }
        }
    }

    /** The shard of an author of a post or of a reader. */
    int shardOf(int user) {
        return Id.shard(data.id(user));
    }

    /** A quiet stretch before a fault. Failovers that a busy machine brought about are windows of their own. */
    private void quiet() {
        long begin = System.nanoTime();
        pause(plan.pauseNanos());
        for (int pair : faults.lookAgain()) {
            settle(Fault.UNINTENDED, faults.shardsOf(pair), begin);
        }
    }

    private void move() {
        if (plan.slots() == 0) {
            return;
        }
        quiet();
        Set<Integer> shards = new TreeSet<>();
        int count = data.shards().count();
        while (shards.size() < Math.min(plan.slots(), count)) {
            shards.add(random.nextInt(count));
        }
        long begin = System.nanoTime();
        shards.forEach(faults::moveShard);
        settle(Fault.MOVED, shards, begin);
    }

    private void failOver(Fault fault) {
        quiet();
        int pair = random.nextInt(faults.pairs());
        Set<Integer> shards = faults.shardsOf(pair);
        if (fault == Fault.BEHIND) {
            faults.cutOff(pair);
            pause(TimeUnit.MILLISECONDS.toNanos(plan.behindMillis()));
        }
        long begin = System.nanoTime();
        if (fault.kills()) {
            faults.kill(pair);
            faults.awaitTakeover(pair);
            faults.restart(pair);
        } else {
            faults.failOver(pair);
        }
        faults.awaitReplica(pair);
        settle(fault, shards, begin);
    }

    private void settle(Fault fault, Set<Integer> shards, long begin) {
        awaitLoad("to be answered after a fault", () -> load.isFluent(FLUENT_NANOS));
        windows.add(new FailoverWindow(fault, shards, begin, System.nanoTime()));
        System.err.printf(
                "%d: %s, %.1f s%n",
                windows.size(), fault.label(), windows.get(windows.size() - 1).seconds());
    }

    private void awaitLoad(String event, BooleanSupplier condition) {
        if (!loop.await(() -> Future.succeededFuture(condition.getAsBoolean()), 2 * PATIENCE.toNanos(), LOOK_MILLIS)) {
            throw new BenchFailed("the requests took more than " + 2 * PATIENCE.toSeconds() + " s " + event);
        }
    }

    private void pause(long nanos) {
        loop.run(() -> loop.vertx().timer(nanos, TimeUnit.NANOSECONDS));
    }

    private static Future<Void> done(Runnable step) {
        step.run();
        return Future.succeededFuture();
    }
}
