package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.peer.MastodonPeer;
import io.fanfare.bench.peer.NchanPeer;
import io.fanfare.bench.peer.PlainPeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench stream-dense}: few streams, many events - what a delivery costs when writes carry several events; beside
 * a program in C that writes the same bytes.
 */
@Command(
        name = "stream-dense",
        mixinStandardHelpOptions = true,
        description =
                "Measures 200 firehoses of 5000 events/s, against nginx with nchan and a C program that writes the"
                        + " same bytes.")
public final class StreamDenseBench implements Callable<Integer> {
    private static final double GOAL_OF_PLAIN = 0.5;
    private static final double GOAL_MICROS = 1.0;

    /**
     * nchan and Mastodon make a write of each delivery, so they take no more than a fraction of the events; each costs
     * them the same.
     */
    private static final double SINGLY_LOAD = 0.1;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private FirehoseLoad firehoses = new FirehoseLoad(200, 5000, 1);

    @Mixin
    private StreamHarness peers = new StreamHarness();

    @Option(
            names = "--tick",
            paramLabel = "MILLIS",
            defaultValue = "5",
            converter = Count.class,
            description = "How long the C program collects events for one write. Default: ${DEFAULT-VALUE}.")
    private int tick;

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT);
                StreamHarness harness = peers) {
            StreamContestant.Load load = firehoses.load(options, 1);
            StreamContestant.Load less = firehoses.load(options, SINGLY_LOAD);
            harness.add(harness.plain(tick), load);
            harness.add(harness.nchan(loop, 0), less);
            harness.add(harness.mastodon(loop, redis, 0), less);
            harness.add(harness.fanfare(loop, redis, 0), firehoses.ours(options));
            Report report = harness.run("stream-dense", redis, options.rounds());
            report.setting(
                    "load",
                    firehoses.description() + "; the C program writes every " + tick
                            + " ms, who writes each event by itself gets " + Math.round(SINGLY_LOAD * 100)
                            + " % of them");
            StreamHarness.compare(report, PlainPeer.NAME, GOAL_OF_PLAIN);
            StreamHarness.compare(report, NchanPeer.NAME, 1);
            StreamHarness.compare(report, MastodonPeer.NAME, 1);
            double micros = report.value(StreamHarness.key(FanfarePeer.NAME) + "-server-us");
            report.sentence(String.format(
                    "One core of the server carries %,.0f deliveries/s at %.2f us each (goal >= 1 M/s, <= %.1f us).",
                    1e6 / micros, micros, GOAL_MICROS));
            return report.publish(options);
        }
    }
}
