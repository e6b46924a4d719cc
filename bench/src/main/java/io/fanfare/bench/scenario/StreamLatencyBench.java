package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench stream-latency}: many filters, each of which wants one event in so many - from the moment at which an
 * event is due to be appended to the moment at which its reader has it. nchan and Mastodon have no filters: each topic
 * is a channel or a list there, and the publisher knows it.
 */
@Command(
        name = "stream-latency",
        mixinStandardHelpOptions = true,
        description =
                "Measures 1000 events/s to 1000 filters, from publishing to the client; nginx with nchan and Mastodon"
                        + " get them sorted by channel.")
public final class StreamLatencyBench implements Callable<Integer> {
    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StreamHarness peers = new StreamHarness();

    @Option(
            names = "--filters",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description =
                    "Streams, each with a filter of its own; every event matches one of them. Default: ${DEFAULT-VALUE}.")
    private int filters;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Events a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT);
                StreamHarness harness = peers) {
            StreamContestant.Load load = StreamContestant.Load.of(options, filters, rate, 1, 1);
            harness.add(harness.nchan(loop, filters), load);
            harness.add(harness.mastodon(loop, redis, filters), load);
            harness.add(harness.fanfare(loop, redis, filters), load);
            Report report = harness.run("stream-latency", redis, options.rounds());
            report.setting(
                    "load", filters + " filters of one word, " + rate + " events/s, each for one of them; open loop");
            String ours = StreamHarness.key(FanfarePeer.NAME);
            report.sentence(String.format(
                    "Published -> client: p50 %.2f ms (goal <= 1 ms), p99 %.2f ms (goal <= 5 ms).",
                    report.value(ours + "-p50-ms"), report.value(ours + "-p99-ms")));
            return report.publish(options);
        }
    }
}
