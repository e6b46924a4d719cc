package io.fanfare.bench;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench stream-sparse}: many streams, few events - what a delivery costs when it is a write of its own; beside nginx with nchan, which does the same. */
@Command(
        name = "stream-sparse",
        mixinStandardHelpOptions = true,
        description = "10,000 firehoses of 15 events/s, against nginx with nchan.")
final class StreamSparseBench implements Callable<Integer> {
    private static final double GOAL_P99_MILLIS = 100;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StreamField peers = new StreamField();

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "10000",
            converter = Count.class,
            description = "Firehoses that are open, of each contestant. Default: ${DEFAULT-VALUE}.")
    private int streams;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "15",
            converter = Count.class,
            description = "Events a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--with-plain",
            description = "Also the C program of stream-dense, which writes every event at once to everybody.")
    private boolean withPlain;

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT);
                StreamField field = peers) {
            StreamContestant.Load load = StreamContestant.Load.of(options, streams, rate, streams);
            field.add(withPlain ? field.plain(1) : null, load);
            field.add(field.nchan(loop, 0), load);
            field.add(new FanfarePeer(loop, redis, 0, Map.of()), load);
            Report report = field.run("stream-sparse", redis, options.rounds());
            report.setting(
                    "load",
                    streams + " firehoses, " + rate + " events/s of " + StampedEvent.BYTES
                            + " bytes and their frame, open loop");
            StreamField.compare(report, NchanPeer.NAME, 1);
            StreamField.compare(report, PlainPeer.NAME, 0.5);
            String ours = StreamField.key(FanfarePeer.NAME);
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
