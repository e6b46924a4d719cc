package io.fanfare.bench;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench stream-dense}: few streams, many events - what a delivery costs when writes carry several events; beside a program in C that writes the same bytes. */
@Command(
        name = "stream-dense",
        mixinStandardHelpOptions = true,
        description =
                "200 firehoses of 5000 events/s, against nginx with nchan and a C program that writes the same bytes.")
final class StreamDenseBench implements Callable<Integer> {
    private static final double GOAL_OF_PLAIN = 0.5;
    private static final double GOAL_MICROS = 1.0;

    /** nchan makes a write of each delivery, so it takes no more than a fraction of the events; each costs it the same. */
    private static final double NCHAN_LOAD = 0.1;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StreamField peers = new StreamField();

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "200",
            converter = Count.class,
            description = "Firehoses that are open. Default: ${DEFAULT-VALUE}.")
    private int streams;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "5000",
            converter = Count.class,
            description = "Events a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

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
                StreamField field = peers) {
            StreamContestant.Load load = StreamContestant.Load.of(options, streams, rate, streams);
            double less = Math.max(1, rate * NCHAN_LOAD);
            field.add(field.plain(tick), load);
            field.add(field.nchan(loop, 0), StreamContestant.Load.of(options, streams, less, streams));
            field.add(new FanfarePeer(loop, redis, 0, Map.of()), load);
            Report report = field.run("stream-dense", redis, options.rounds());
            report.setting(
                    "load",
                    streams + " firehoses, " + rate + " events/s of " + StampedEvent.BYTES
                            + " bytes and their frame, open loop; the C program writes every " + tick
                            + " ms, nchan gets " + Math.round(NCHAN_LOAD * 100) + " % of the events");
            StreamField.compare(report, PlainPeer.NAME, GOAL_OF_PLAIN);
            StreamField.compare(report, NchanPeer.NAME, 1);
            double micros = report.value(StreamField.key(FanfarePeer.NAME) + "-server-us");
            report.sentence(String.format(
                    "One core of the server carries %,.0f deliveries/s at %.2f us each (goal >= 1 M/s, <= %.1f us).",
                    1e6 / micros, micros, GOAL_MICROS));
            return report.publish(options);
        }
    }
}
