package io.fanfare.bench.scenario;

import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bench visit}: pages of homes and posts at fixed rates, beside each other, of services that run on the data
 * folders of {@link LoadBench}, in turn.
 */
@Command(
        name = "visit",
        mixinStandardHelpOptions = true,
        description = {
            "Measures pages of homes and posts, at fixed rates beside each other, of running services on data folders of `bench load`, in turn.",
            "Start them with `fanfare up --data DIR --port 0 --set limits.enabled=false`, and name the smallest first: the others are compared with it."
        })
public final class VisitBench implements Callable<Integer> {
    /** The p99 with more data, at most so many times the one with least. */
    private static final double GOAL = 1.5;

    private static final int CONNECTIONS = 16;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Parameters(paramLabel = "DIR", arity = "1..8", description = "Data folders of the running services.")
    private List<Path> folders;

    @Option(
            names = "--readers",
            paramLabel = "N",
            defaultValue = "500",
            converter = Count.class,
            description = "Accounts that read and post, or all with a home. Default: ${DEFAULT-VALUE}.")
    private int readers;

    @Option(
            names = "--pages",
            paramLabel = "N",
            defaultValue = "200",
            converter = Count.class,
            description = "Pages of homes a second. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(
            names = "--posts",
            paramLabel = "N",
            defaultValue = "20",
            converter = Count.class,
            description = "Posts a second. Default: ${DEFAULT-VALUE}.")
    private int posts;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "15",
            converter = Count.class,
            description = "How long each service first answers as fast as it can. Default: ${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    /** The latencies of the rounds of one service. */
    private record Latencies(List<Histogram> pages, List<Histogram> posts) {}

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop()) {
            Map<String, SiteVisit> visits = new LinkedHashMap<>();
            for (Path folder : folders) {
                visits.put(
                        (visits.size() + 1) + ": " + folder,
                        SiteVisit.of(loop, folder, readers, CONNECTIONS, options.seed()));
            }
            System.err.println("warming up ...");
            visits.values().forEach(visit -> visit.warmUp(warmUpSeconds * 1_000_000_000L));
            Map<String, Latencies> latencies = new LinkedHashMap<>();
            Comparison comparison = new Comparison()
                    .processOf("service", name -> visits.get(name).serviceCpuSeconds())
                    .processOf("redis", name -> visits.get(name).redisCpuSeconds());
            for (Map.Entry<String, SiteVisit> visit : visits.entrySet()) {
                Latencies seen = new Latencies(new ArrayList<>(), new ArrayList<>());
                latencies.put(visit.getKey(), seen);
                comparison = comparison.contestant(visit.getKey(), () -> round(visit.getValue(), seen));
            }
            System.err.println("measuring ...");
            List<Comparison.Result> results = comparison.run(options.rounds());
            Report report = new Report("visit", "requests");
            report.setting(
                    "load",
                    pages + " pages and " + posts + " posts a second, in open loop, " + CONNECTIONS
                            + " connections for each of the two");
            report.setting("readers", readers + " at most, who also post; seed " + options.seed());
            report.results(comparison, results);
            report(report, latencies, "page", Latencies::pages);
            report(report, latencies, "post", Latencies::posts);
            return report.publish(options);
        }
    }

    private long round(SiteVisit visit, Latencies seen) {
        SiteVisit.Result result = visit.round(pages, posts, options.nanosPerRound());
        seen.pages().add(result.pages().latencies());
        seen.posts().add(result.posts().latencies());
        return result.pages().accepted() + result.posts().accepted();
    }

    /** The medians of the rounds that count, which are the last ones. */
    private void report(
            Report report, Map<String, Latencies> latencies, String kind, Function<Latencies, List<Histogram>> which) {
        double first = Double.NaN;
        int number = 0;
        for (Map.Entry<String, Latencies> service : latencies.entrySet()) {
            number++;
            List<Histogram> all = which.apply(service.getValue());
            List<Histogram> rounds = all.subList(all.size() - options.rounds(), all.size());
            double p50 = millis(rounds, 50);
            double p99 = millis(rounds, 99);
            String name = number + "-" + kind;
            report.figure(name + "-p50-ms", p50, "");
            report.figure(name + "-p99-ms", p99, "");
            if (number == 1) {
                first = p99;
                report.sentence(String.format("%s: a %s: p50 %.2f ms, p99 %.2f ms", service.getKey(), kind, p50, p99));
            } else {
                report.figure(
                        name + "-p99-ratio",
                        p99 / first,
                        String.format(
                                "%s: a %s: p50 %.2f ms, p99 %.2f ms, %.2fx of the first (goal <= %.1fx)",
                                service.getKey(), kind, p50, p99, p99 / first, GOAL));
            }
        }
    }

    private static double millis(List<Histogram> rounds, double percentile) {
        return Comparison.median(rounds.stream()
                .mapToDouble(round -> round.getValueAtPercentile(percentile) / 1e6)
                .toArray());
    }
}
