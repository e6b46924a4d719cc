package io.fanfare.bench.report;

import io.fanfare.failure.Reason;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of a scenario: the machine, a table of the contestants, figures in sentences. Printed for people, written
 * as JSON for programs that compare.
 */
public final class Report {
    private final String scenario;
    private final String unit;
    private final Map<String, String> setting = new LinkedHashMap<>();
    private final List<Comparison.Result> results = new ArrayList<>();
    private final List<String> processes = new ArrayList<>();
    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final List<String> sentences = new ArrayList<>();

    /** {@code unit} is what contestants do many of, in the plural. */
    public Report(String scenario, String unit) {
        this.scenario = scenario;
        this.unit = unit;
        setting.put("date", Instant.now().toString());
        setting.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        setting.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        setting.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
    }

    /** Something that the figures depend on. */
    public void setting(String name, String value) {
        setting.put(name, value);
    }

    public void settings(Map<String, String> more) {
        setting.putAll(more);
    }

    public void results(Comparison comparison, List<Comparison.Result> more) {
        results.addAll(more);
        comparison.processes().stream()
                .filter(process -> !processes.contains(process))
                .forEach(processes::add);
    }

    /** A figure of its own, by name in the JSON and as a sentence for people (empty = none). */
    public void figure(String name, double value, String sentence) {
        figures.put(name, value);
        if (!sentence.isEmpty()) {
            sentences.add(sentence);
        }
    }

    /** A figure given before; NaN when there is none of that name. */
    public double value(String name) {
        return figures.getOrDefault(name, Double.NaN);
    }

    public void sentence(String sentence) {
        sentences.add(sentence);
    }

    /** Prints it, and writes it where the options say; answers the command's exit status. */
    public int publish(BenchOptions options) {
        print(System.out);
        if (options.json() != null) {
            write(options.json());
        }
        return 0;
    }

    public void print(PrintStream out) {
        out.println("bench " + scenario);
        setting.forEach((name, value) -> out.printf("  %-22s %s%n", name, value));
        out.println();
        if (!results.isEmpty()) {
            printTable(out);
        }
        sentences.forEach(out::println);
    }

    private void printTable(PrintStream out) {
        out.printf("%-40s %14s", "median of " + results.get(0).rounds().size() + " rounds", unit + "/s");
        processes.forEach(process -> out.printf(" %14s %9s", process + " us", "busy"));
        out.println();
        for (Comparison.Result result : results) {
            out.printf("%-40s %,14.0f", result.name(), result.perSecond());
            processes.forEach(
                    process -> out.printf(" %14.2f %8.0f%%", result.cpuMicros(process), result.busy(process) * 100));
            out.println();
        }
        out.println("us = processor microseconds of the process for each of the " + unit + "; busy = of one core.");
        out.println();
    }

    /** Into a file; fails with {@link BenchFailed} when it cannot be written. */
    public void write(Path file) {
        JsonArray contestants = new JsonArray();
        results.forEach(result -> contestants.add(json(result)));
        JsonObject json = new JsonObject()
                .put("scenario", scenario)
                .put("setting", new JsonObject(new LinkedHashMap<>(setting)))
                .put("unit", unit)
                .put("contestants", contestants)
                .put("figures", new JsonObject(new LinkedHashMap<>(figures)));
        try {
            Files.writeString(file, json.encodePrettily() + "\n");
        } catch (IOException e) {
            throw new BenchFailed("the figures cannot be written to " + file + ": " + Reason.of(e));
        }
    }

    private JsonObject json(Comparison.Result result) {
        JsonArray rounds = new JsonArray();
        for (Comparison.Round round : result.rounds()) {
            rounds.add(new JsonObject()
                    .put("units", round.units())
                    .put("seconds", round.seconds())
                    .put("cpu-seconds", new JsonObject(new LinkedHashMap<>(round.cpuSeconds()))));
        }
        return new JsonObject()
                .put("name", result.name())
                .put("per-second", result.perSecond())
                .put("rounds", rounds);
    }
}
