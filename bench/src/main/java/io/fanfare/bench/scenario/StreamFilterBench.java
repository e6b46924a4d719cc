package io.fanfare.bench.scenario;

import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench stream-filter}: what it takes to find whom an event concerns, among many filters; beside asking each,
 * which is the definition. No network, no Redis. With {@code --reconnect} as {@link FilterReconnects}.
 */
@Command(
        name = "stream-filter",
        mixinStandardHelpOptions = true,
        description =
                "Measures 1 M phrases, 1 M follows and 10,000 boxes of 10,000 filters: the index against asking each"
                        + " filter.")
public final class StreamFilterBench implements Callable<Integer> {
    private static final String HEAP = "-Xmx4g";
    private static final int NAIVE_EVENTS = 10;
    private static final int INSTALLS = 300;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--filters",
            paramLabel = "N",
            defaultValue = "10000",
            converter = Count.class,
            description = "Filters, each with a box. Default: ${DEFAULT-VALUE}.")
    private int filters;

    @Option(
            names = "--phrases",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = Count.class,
            description = "Phrases of all filters together, and as many follows. Default: ${DEFAULT-VALUE}.")
    private int phrases;

    @Option(
            names = "--few-phrases",
            paramLabel = "N",
            defaultValue = "10000",
            converter = Count.class,
            description = "The same of the index that it is compared with. Default: ${DEFAULT-VALUE}.")
    private int fewPhrases;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "50000",
            converter = Count.class,
            description = "Events of one round. Default: ${DEFAULT-VALUE}.")
    private int events;

    @Option(
            names = "--reconnect",
            description =
                    "Instead of this: how long it takes until as many filters are open on a stream process that has just started.")
    private boolean reconnect;

    /** The child's answers by order, the first of each being its warm-up. */
    private final Map<String, List<String[]>> answers = new HashMap<>();

    @Override
    public Integer call() {
        return reconnect ? new FilterReconnects(options, filters).measure() : match();
    }

    private int match() {
        System.err.println("installing " + filters + " filters ...");
        try (ServerProcess child = ServerProcess.start(FilterMatching.class, Map.of(), HEAP)) {
            String loaded = child.ask("load " + filters + " " + fewPhrases + " " + phrases + " " + options.seed());
            assert loaded.equals("done");
            String many = String.format("index, %,d phrases", phrases);
            Comparison comparison = new Comparison()
                    .process("matcher", child::cpuSeconds)
                    .contestant("asking each filter", () -> ask(child, "naive", NAIVE_EVENTS))
                    .contestant(String.format("index, %,d phrases", fewPhrases), () -> ask(child, "small", events))
                    .contestant(many + " that match no more", () -> ask(child, "strange", events))
                    .contestant(many, () -> ask(child, "large", events));
            System.err.println("measuring ...");
            List<Comparison.Result> results = comparison.run(options.rounds());
            Report report = new Report("stream-filter", "events");
            report.setting(
                    "load",
                    String.format(
                            "%,d filters with %,d phrases, %,d follows and %,d boxes in all; texts of 8 to 20 words, a fifth Chinese",
                            filters, phrases, phrases, filters));
            report.results(comparison, results);
            report(report, ask(child));
            return report.publish(options);
        }
    }

    private long ask(ServerProcess child, String order, int n) {
        answers.computeIfAbsent(order, none -> new ArrayList<>())
                .add(child.ask(order + " " + n).split(" ", -1));
        return n;
    }

    private static double[] ask(ServerProcess child) {
        String warm = child.ask("install " + INSTALLS);
        assert !warm.isEmpty();
        String[] words = child.ask("install " + INSTALLS).split(" ", -1);
        double[] micros = new double[words.length];
        for (int i = 0; i < words.length; i++) {
            micros[i] = Double.parseDouble(words[i]);
        }
        return micros;
    }

    private void report(Report report, double... installing) {
        double mean = median("large", 1);
        double few = median("small", 1);
        double strange = median("strange", 1);
        double matches = median("large", 0) / events;
        double fewMatches = median("small", 0) / events;
        report.figure(
                "mean-us",
                mean,
                String.format(
                        "An event takes %.1f us on average (goal <= 15), p99 %.1f us (goal <= 50), and matches %.1f filters.",
                        mean, median("large", 2), matches));
        report.figure("p99-us", median("large", 2), "");
        report.figure("few-mean-us", few, "");
        report.figure("seldom-mean-us", strange, "");
        report.figure(
                "growth",
                strange / few,
                String.format(
                        "With %,d phrases instead of %,d it takes %.2fx where texts match the same (goal 1): %.1f us,"
                                + " p99 %.1f us for %.1f us, p99 %.1f us, and %.2f matches for %.2f; the other phrases and"
                                + " follows are of words and accounts that no text has.",
                        phrases,
                        fewPhrases,
                        strange / few,
                        strange,
                        median("strange", 2),
                        few,
                        median("small", 2),
                        median("strange", 0) / events,
                        fewMatches));
        report.figure(
                "growth-with-matches",
                mean / few,
                String.format(
                        "With all of them from the same words it is %.2fx: each further match takes %.2f us.",
                        mean / few, (mean - strange) / (matches - fewMatches)));
        double different = answers.get("naive").stream()
                .mapToDouble(answer -> Double.parseDouble(answer[1]))
                .sum();
        report.figure(
                "different",
                different,
                String.format(
                        "Of %d events that every filter was called with, the index answered %.0f differently.",
                        answers.get("naive").size() * NAIVE_EVENTS, different));
        report.figure(
                "install-us",
                installing[1],
                String.format(
                        "A filter of 400 phrases is entered in %.0f us, p99 %.0f us (goal <= 1000), read in %.0f us, p99 %.0f us, and taken out in %.0f us.",
                        installing[1], installing[4], installing[0], installing[3], installing[2]));
        report.figure("install-p99-us", installing[4], "");
        report.figure("read-us", installing[0], "");
    }

    private double median(String order, int column) {
        List<String[]> rounds = answers.get(order);
        return Comparison.median(rounds.subList(Math.min(1, rounds.size() - 1), rounds.size()).stream()
                .mapToDouble(answer -> Double.parseDouble(answer[column]))
                .toArray());
    }
}
