package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.peer.MastodonPeer;
import io.fanfare.bench.peer.NchanPeer;
import io.fanfare.bench.peer.PlainPeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code bench stream-sparse}: many streams, few events - what a delivery costs when it is a write of its own; beside
 * nginx with nchan and Mastodon, which do the same.
 */
@Command(
        name = "stream-sparse",
        mixinStandardHelpOptions = true,
        description =
                "Measures 10,000 firehoses of 15 events/s, against nginx with nchan and Mastodon's streaming server.")
public final class StreamSparseBench implements Callable<Integer> {
    private static final double GOAL_P99_MILLIS = 100;

    /** Clients are elsewhere in life: readers here must not take what the server needs. */
    private static final int SAMPLE_ONE_IN = 20;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private FirehoseLoad firehoses = new FirehoseLoad(10_000, 15, SAMPLE_ONE_IN);

    @Mixin
    private StreamHarness peers = new StreamHarness();

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT);
                StreamHarness harness = peers) {
            StreamContestant.Load load = firehoses.load(options, 1);
            harness.add(harness.plain(1), load);
            harness.add(harness.nchan(loop, 0), load);
            harness.add(harness.mastodon(loop, redis, 0), load);
            harness.add(harness.fanfare(loop, redis, 0), firehoses.ours(options));
            Report report = harness.run("stream-sparse", redis, options.rounds());
            report.setting("load", firehoses.description());
            StreamHarness.compare(report, NchanPeer.NAME, 1);
            StreamHarness.compare(report, MastodonPeer.NAME, 1);
            StreamHarness.compare(report, PlainPeer.NAME, 0.5);
            String ours = StreamHarness.key(FanfarePeer.NAME);
            report.sentence(String.format(
                    "One core of the server carries %,.0f deliveries/s at %.2f us each (goal >= 150,000/s), p99 %.1f ms (goal <= %.0f ms).",
                    1e6 / report.value(ours + "-server-us"),
                    report.value(ours + "-server-us"),
                    report.value(ours + "-p99-ms"),
                    GOAL_P99_MILLIS));
            return report.publish(options);
        }
    }
}
