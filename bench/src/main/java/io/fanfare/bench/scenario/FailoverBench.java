package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchCluster;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.bench.scenario.FailoverLoad.Request;
import io.fanfare.server.runtime.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench failover}: what a failover of a cluster does to writes, and what it loses. Users post and read at a
 * fixed rate; masters are replaced by their replicas one after the other, and slots move in between. Afterwards every
 * acknowledged post is looked for, and the data set is verified. Exits with 1 when anything but the posts that
 * replication lost differs, or when the stream lost a post without a gap.
 */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        description =
                "Measures writes during failovers of a cluster and moves of its slots, and counts what they lose.")
public final class FailoverBench implements Callable<Integer> {
    /** The others elect a replica: two of three. */
    private static final int MASTERS_MIN = 3;

    private static final int MASTERS_MAX = 12;
    private static final int FAILOVERS_MAX = 1000;
    private static final int RATE_MAX = 100_000;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--failovers",
            paramLabel = "N",
            defaultValue = "20",
            converter = Count.class,
            description = "Failovers in a row: by agreement, by kill -9, and by kill -9 of a master whose replica is"
                    + " behind, in turn. Default: ${DEFAULT-VALUE}.")
    private int failovers;

    @Option(
            names = "--masters",
            paramLabel = "N",
            defaultValue = "3",
            converter = Count.class,
            description = "Masters, each with a replica. Default: ${DEFAULT-VALUE}.")
    private int masters;

    @Option(
            names = "--node-timeout",
            paramLabel = "MS",
            defaultValue = "2000",
            converter = Count.class,
            description = "The setting cluster-node-timeout of Redis. Default: ${DEFAULT-VALUE}.")
    private int nodeTimeout;

    @Option(
            names = "--behind",
            paramLabel = "MS",
            defaultValue = "500",
            converter = Count.class,
            description = "How long a replica is cut off before its master is killed, in every third failover."
                    + " Default: ${DEFAULT-VALUE}.")
    private int behind;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "2",
            description = "Shards whose slots move to another master before each failover. Default: ${DEFAULT-VALUE}.")
    private int slots;

    @Mixin
    private ClusterData data = new ClusterData(5500, 200, 200, 32);

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "50",
            converter = Count.class,
            description = "Posts a second, whatever the service does. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "15",
            converter = Count.class,
            description = "Load that does not count, until Java has compiled the servers. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--reads",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Pages of homes a second, so that homes exist. Default: ${DEFAULT-VALUE}.")
    private int reads;

    @Override
    public Integer call() {
        if (masters < MASTERS_MIN || masters > MASTERS_MAX) {
            throw new BenchFailed("--masters must be from " + MASTERS_MIN + " to " + MASTERS_MAX);
        }
        if (failovers > FAILOVERS_MAX || slots < 0 || slots > data.shards() || rate > RATE_MAX || reads > RATE_MAX) {
            throw new BenchFailed("--failovers must be at most " + FAILOVERS_MAX + ", --slots from 0 to --shards, and"
                    + " --rate and --reads at most " + RATE_MAX);
        }
        SocialGraph graph = data.graph(options.seed());
        try (EventLoop loop = new EventLoop();
                BenchCluster cluster = BenchCluster.start(
                        loop,
                        options,
                        masters,
                        /* replicas= */ 1,
                        // As config/cluster.md says; a replica that is behind may take over all the same.
                        List.of(
                                "cluster-node-timeout " + nodeTimeout,
                                "cluster-require-full-coverage no",
                                "cluster-replica-validity-factor 0"),
                        "redis.shards=" + data.shards(),
                        "feeds.home-max=" + data.entries(),
                        "feeds.home-slack=" + data.entries() * 2 / 5)) {
            System.err.println("making " + data.users() + " homes ...");
            FailoverRun run = new FailoverRun(
                    loop,
                    new FailoverRun.Plan(
                            rate,
                            reads,
                            failovers,
                            slots,
                            behind,
                            TimeUnit.SECONDS.toNanos(warmUp),
                            options.nanosPerRound()),
                    graph,
                    cluster,
                    options.seed());
            Report report = new Report("failover", "posts");
            report.settings(cluster.description());
            report.setting(
                    "cluster",
                    masters + " masters with a replica each, cluster-node-timeout " + nodeTimeout + ", " + data.shards()
                            + " shards");
            data.describe(report, graph, options.seed());
            report.setting(
                    "load",
                    rate + " posts/s and " + reads + " pages/s in open loop, homes of " + data.entries() + " entries");
            report.setting("load average before", loadAverage());
            FailoverRun.Outcome outcome = run.run();
            report.setting("load average after", loadAverage());
            describe(report, run, outcome);
            int published = report.publish(options);
            return outcome.atRest().isExact() && outcome.load().firstFailure().isEmpty() ? published : 1;
        }
    }

    private static String loadAverage() {
        try {
            String[] words = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
            return words[0] + " " + words[1] + " " + words[2];
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static void describe(Report report, FailoverRun run, FailoverRun.Outcome outcome) {
        List<FailoverWindow> windows = outcome.windows();
        List<Request> posts = outcome.load().posts();
        List<Integer> lost = new ArrayList<>(outcome.atRest().lost());
        report.sentence(String.format(
                "%4s %-16s %6s %9s %8s | %26s | %26s | %4s",
                "",
                "fault",
                "shards",
                "stopped s",
                "whole s",
                "its shards p50 p99 max ms",
                "others p50 p99 max ms",
                "lost"));
        int failover = 0;
        for (int i = 0; i < windows.size(); i++) {
            FailoverWindow window = windows.get(i);
            Predicate<Request> concerned = post -> window.shards().contains(run.shardOf(post.user()));
            List<Request> ofShards = posts.stream().filter(concerned).toList();
            double stopped = window.stoppedSeconds(ofShards);
            Histogram its = FailoverWindow.latencies(ofShards, window::contains);
            Histogram others = FailoverWindow.latencies(posts, post -> window.contains(post) && !concerned.test(post));
            int lostHere = 0;
            if (window.fault().isFailover()) {
                failover++;
                List<Integer> here = lost.stream()
                        .filter(post ->
                                posts.get(post).answeredNanos() <= window.endNanos() && concerned.test(posts.get(post)))
                        .toList();
                lost.removeAll(here);
                lostHere = here.size();
                String prefix = "failover-" + failover + "-";
                report.figure(prefix + "stopped-s", stopped, "");
                report.figure(prefix + "p99-ms", millis(its, 99), "");
                report.figure(prefix + "others-p99-ms", millis(others, 99), "");
                report.figure(prefix + "lost", lostHere, "");
            }
            report.sentence(String.format(
                    "%4s %-16s %6d %9.2f %8.1f | %26s | %26s | %4d",
                    window.fault().isFailover() ? Integer.toString(failover) : "",
                    window.fault().label(),
                    window.shards().size(),
                    stopped,
                    window.seconds(),
                    percentiles(its),
                    percentiles(others),
                    lostHere));
        }
        Predicate<Request> quiet = request -> request.dueNanos() >= outcome.warmNanos()
                && windows.stream().noneMatch(window -> window.contains(request));
        describe(report, "quiet", posts, outcome.load().reads(), quiet);
        for (FailoverWindow.Fault fault : FailoverWindow.Fault.values()) {
            Predicate<Request> within =
                    request -> windows.stream().anyMatch(window -> window.fault() == fault && window.contains(request));
            describe(report, fault.label(), posts, outcome.load().reads(), within);
        }
        describe(report, outcome, lost.size());
    }

    private static void describe(
            Report report, String name, List<Request> posts, List<Request> reads, Predicate<Request> wanted) {
        Histogram writes = FailoverWindow.latencies(posts, wanted);
        Histogram pages = FailoverWindow.latencies(reads, wanted);
        String prefix = name.replaceAll("[^a-z0-9]+", "-") + "-";
        report.figure(prefix + "write-p99-ms", millis(writes, 99), "");
        report.figure(
                prefix + "read-p99-ms",
                millis(pages, 99),
                String.format(
                        "%-16s all %,d posts p50 p99 max ms %s; %,d pages %s",
                        name, writes.getTotalCount(), percentiles(writes), pages.getTotalCount(), percentiles(pages)));
    }

    /** @param elsewhere lost posts of shards that no failover concerned */
    private static void describe(Report report, FailoverRun.Outcome outcome, int elsewhere) {
        FailoverCheck.AtRest atRest = outcome.atRest();
        FailoverLoad load = outcome.load();
        long acknowledged =
                load.posts().stream().filter(Request::isAcknowledged).count();
        report.figure("acknowledged", (double) acknowledged, "");
        report.figure("repeated", (double) load.repeated(), "");
        report.figure(
                "lost",
                atRest.lost().size(),
                String.format(
                        "%,d posts acknowledged, %,d attempts of posts and reads repeated; %d posts lost by"
                                + " replication, %d of them in shards without a failover%s",
                        acknowledged,
                        load.repeated(),
                        atRest.lost().size(),
                        elsewhere,
                        load.firstFailure().isEmpty() ? "" : "; given up: " + load.firstFailure()));
        report.figure(
                "generations",
                (double) outcome.generations(),
                String.format(
                        "%d generations and epochs begun by the worker; %d differences repaired; at rest %.1f s after"
                                + " the load",
                        outcome.generations(), outcome.repaired(), atRest.restSeconds()));
        report.figure("repaired", (double) outcome.repaired(), "");
        report.figure("rest-s", atRest.restSeconds(), "");
        report.figure("differences", (double) atRest.differences(), "");
        report.figure("homes-other", atRest.homes(), "");
        report.figure("unknown", atRest.unknown(), "");
        report.figure("jobs-given-up", (double) atRest.dead(), "");
        report.sentence(String.format(
                "At rest: %d differences by verify, %d homes other than their authors' posts, %d posts there twice or"
                        + " under another id, %d jobs given up (goal 0 each)",
                atRest.differences(), atRest.homes(), atRest.unknown(), atRest.dead()));
        report.figure("gaps", atRest.gaps(), "");
        report.figure("missed", atRest.missed(), "");
        report.figure(
                "missed-silently",
                atRest.missedSilently(),
                String.format(
                        "Stream: %d gaps, %d posts that are there did not come, %d of them beside no gap (goal 0)",
                        atRest.gaps(), atRest.missed(), atRest.missedSilently()));
        atRest.examples().forEach(report::sentence);
    }

    private static double millis(Histogram latencies, double percentile) {
        return latencies.getTotalCount() == 0 ? 0 : latencies.getValueAtPercentile(percentile) / 1e6;
    }

    private static String percentiles(Histogram latencies) {
        return String.format("%,.1f %,.0f %,.0f", millis(latencies, 50), millis(latencies, 99), millis(latencies, 100));
    }
}
