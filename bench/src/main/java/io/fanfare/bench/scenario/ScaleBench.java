package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench scale}: processor time for each delivery, post, page and second of a stream on clusters of different
 * numbers of masters. The clusters take turns, each with an API, a worker and a stream process of its own. The machine
 * is the same for all of them, so that the figures are costs, and no figure is a speed of so many machines.
 */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = "Measures what a delivery, a post, a page and a second of a stream cost on clusters of 1, 2, 3, 4"
                + " and 6 masters, by process and by master.")
public final class ScaleBench implements Callable<Integer> {
    /** The busiest master and the cost with the most masters, at most so many times the mean and the cost with one. */
    private static final double GOAL_BUSIEST = 1.2;

    private static final double GOAL_GROWTH = 1.15;

    /** Stored deliveries in a second of a core of Redis. */
    private static final double GOAL_PER_CORE = 150_000;

    private static final int MASTERS_MAX = 12;

    /** The header of every message between the nodes of Redis 7, {@code sizeof(clusterMsg) - sizeof(union)}. */
    private static final int BUS_HEADER_BYTES = 2256;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--masters",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,3,4,6",
            converter = Count.class,
            description = "Masters of each cluster. Default: ${DEFAULT-VALUE}.")
    private List<Integer> masters;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "0",
            description = "Replicas of each master, 0 or 1. Default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Mixin
    private ClusterData data = new ClusterData(27500, 403, 800, 256);

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "200",
            converter = Count.class,
            description =
                    "Firehoses that are open while the seconds of streams are measured. Default: ${DEFAULT-VALUE}.")
    private int streams;

    @Option(
            names = "--warm-up",
            paramLabel = "ROUNDS",
            defaultValue = "3",
            converter = Count.class,
            description = "Rounds that do not count, until Java has compiled the servers. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Override
    public Integer call() {
        if (replicas < 0 || replicas > 1) {
            throw new BenchFailed("--replicas must be 0 or 1");
        }
        if (masters.stream().anyMatch(number -> number > MASTERS_MAX)) {
            throw new BenchFailed("--masters must be at most " + MASTERS_MAX + " each");
        }
        SocialGraph graph = data.graph(options.seed());
        List<ScaleSide> sides = new ArrayList<>();
        try (EventLoop loop = new EventLoop()) {
            try {
                for (int number : masters) {
                    System.err.println(
                            "filling " + data.users() + " homes of a cluster with " + number + " masters ...");
                    sides.add(ScaleSide.start(
                            loop,
                            options,
                            new ScaleSide.Shape(number, replicas, data.entries(), data.shards(), streams),
                            graph));
                }
                System.err.println("measuring ...");
                return measure(sides, graph).publish(options);
            } finally {
                // They close their connections on the loop.
                sides.forEach(ScaleSide::close);
            }
        }
    }

    private Report measure(List<ScaleSide> sides, SocialGraph graph) {
        Report report = new Report("scale", "units");
        report.settings(sides.get(0).description());
        data.describe(report, graph, options.seed());
        report.setting("homes", "of " + data.entries() + " entries, " + data.shards() + " shards");
        report.setting(
                "memory",
                (sides.get(0).usedMemory() >> 20) + " MiB of Redis with "
                        + sides.get(0).name());
        report.setting("streams", streams + " firehoses beside " + ScaleSide.STREAMED_PER_SECOND + " posts a second");
        for (ScaleSide.Work work : ScaleSide.Work.values()) {
            measure(report, sides, work);
        }
        goals(report);
        for (ScaleSide side : sides) {
            side.requireWhole();
        }
        return report;
    }

    /** All clusters do the same work in turn. */
    private void measure(Report report, List<ScaleSide> sides, ScaleSide.Work work) {
        Map<String, ScaleSide> byName = new LinkedHashMap<>();
        sides.forEach(side -> byName.put(side.name() + ": " + work.label(), side));
        Comparison comparison = new Comparison().warmUp(warmUp);
        for (ScaleSide.Part part : ScaleSide.Part.values()) {
            comparison =
                    comparison.processOf(part.label(), name -> byName.get(name).cpuSeconds(part));
        }
        for (Map.Entry<String, ScaleSide> side : byName.entrySet()) {
            comparison =
                    comparison.contestant(side.getKey(), side.getValue().contestant(work, options.nanosPerRound()));
        }
        List<Comparison.Result> results = comparison.run(options.rounds());
        report.results(comparison, results);
        for (int i = 0; i < results.size(); i++) {
            describe(report, results.get(i), sides.get(i), work);
        }
    }

    private void describe(Report report, Comparison.Result result, ScaleSide side, ScaleSide.Work work) {
        String prefix = side.masters() + "-masters-" + work.label() + "-";
        double all = 0;
        for (ScaleSide.Part part : ScaleSide.Part.values()) {
            double micros = result.cpuMicros(part.label());
            all += micros;
            report.figure(prefix + part.label() + "-us", micros, "");
        }
        List<ScaleSide.Round> rounds = side.rounds(work);
        rounds = rounds.subList(warmUp, rounds.size());
        double busiest = median(rounds, ScaleSide.Round::busiest);
        double messages = median(rounds, ScaleSide.Round::messages);
        report.figure(prefix + "all-us", all, "");
        report.figure(prefix + "busiest", busiest, "");
        report.figure(prefix + "bus-messages", messages, "");
        report.figure(prefix + "bus-publishes", median(rounds, ScaleSide.Round::publishes), "");
        report.sentence(String.format(
                "%s: %.2f us in all for each of the %s; the busiest master used %.2fx of the mean; %.4f messages on the"
                        + " bus (%.1f bytes of headers), %.4f of them copies of events",
                side.name(),
                all,
                work.label(),
                busiest,
                messages,
                messages * BUS_HEADER_BYTES,
                report.value(prefix + "bus-publishes")));
    }

    private void goals(Report report) {
        int fewest = masters.stream().mapToInt(Integer::intValue).min().orElseThrow();
        int most = masters.stream().mapToInt(Integer::intValue).max().orElseThrow();
        String deliveries = ScaleSide.Work.DELIVERIES.label();
        double first = report.value(fewest + "-masters-" + deliveries + "-masters-us");
        double last = report.value(most + "-masters-" + deliveries + "-masters-us");
        report.figure(
                "redis-growth",
                last / first,
                String.format(
                        "With %d masters a delivery costs %.2fx of Redis with %d (goal <= %.2fx)",
                        most, last / first, fewest, GOAL_GROWTH));
        report.figure(
                "deliveries-per-core-of-redis",
                1e6 / last,
                String.format(
                        "%,.0f stored deliveries in a second of a core of Redis with %d masters (goal >= %,.0f)",
                        1e6 / last, most, GOAL_PER_CORE));
        report.sentence(String.format(
                "The busiest of %d masters: %.2fx of the mean while deliveries are made (goal <= %.1fx)",
                most, report.value(most + "-masters-" + deliveries + "-busiest"), GOAL_BUSIEST));
    }

    private static double median(List<ScaleSide.Round> rounds, ToDoubleFunction<ScaleSide.Round> figure) {
        return Comparison.median(rounds.stream().mapToDouble(figure).toArray());
    }
}
