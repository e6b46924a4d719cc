package io.fanfare.bench.compare;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The costs that one round of a scenario reported: processor microseconds a unit by contestant and process. Processes
 * of the load do not count. Immutable.
 */
final class RoundCosts {
    private static final Set<String> LOAD = Set.of("generator", "readers", "publisher");
    private static final int NAME_MAX = 44;

    private final List<Map<String, Double>> costs;
    private final List<String> names;

    private RoundCosts(List<String> names, List<Map<String, Double>> costs) {
        this.names = List.copyOf(names);
        this.costs = List.copyOf(costs);
    }

    /** @throws BenchFailed if the file is not the report of a scenario whose contestants have worked */
    static RoundCosts read(Path json) {
        try {
            return of(new JsonObject(Files.readString(json)));
        } catch (IOException e) {
            throw new BenchFailed("the report " + json + " cannot be read: " + Reason.of(e));
        } catch (DecodeException | ClassCastException | NullPointerException | IndexOutOfBoundsException e) {
            throw new BenchFailed("the report " + json + " is not the JSON of a scenario");
        }
    }

    static RoundCosts of(JsonObject report) {
        List<String> names = new ArrayList<>();
        List<Map<String, Double>> costs = new ArrayList<>();
        for (Object each : report.getJsonArray("contestants", new JsonArray())) {
            JsonObject contestant = (JsonObject) each;
            String name = contestant.getString("name");
            JsonObject round = contestant.getJsonArray("rounds").getJsonObject(0);
            if (round.getLong("units") <= 0) {
                throw new BenchFailed(name + " did nothing in its round: give it more time with --with=--seconds=N");
            }
            names.add(name);
            costs.add(microsByServer(round));
        }
        if (names.isEmpty()) {
            throw new BenchFailed("bench " + report.getString("scenario") + " reports no contestants to compare");
        }
        return new RoundCosts(names, costs);
    }

    private static Map<String, Double> microsByServer(JsonObject round) {
        long units = round.getLong("units");
        Map<String, Double> byProcess = new LinkedHashMap<>();
        for (Map.Entry<String, Object> used : round.getJsonObject("cpu-seconds")) {
            if (!LOAD.contains(used.getKey())) {
                byProcess.put(used.getKey(), ((Number) used.getValue()).doubleValue() * 1e6 / units);
            }
        }
        return byProcess;
    }

    /** Processor microseconds a unit of a round, of all processes but those of the load. */
    static double microsOfServers(JsonObject round) {
        return microsByServer(round).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    /**
     * The ratios of the product's contestants, of all if none is a peer, by process, over pairs of rounds. Contestants
     * are matched by their place, since their names may contain measured sizes.
     *
     * @throws BenchFailed if rounds differ in their contestants or processes, or measured no processor time
     */
    static List<CostRatio> ratios(List<RoundCosts> before, List<RoundCosts> after) {
        RoundCosts first = before.get(0);
        Stream.concat(before.stream(), after.stream()).forEach(first::requireSameParts);
        List<CostRatio> ratios = new ArrayList<>();
        for (int i = 0; i < first.names.size(); i++) {
            if (first.isOurs(i)) {
                for (String process : first.costs.get(i).keySet()) {
                    String name = shortened(first.names.get(i)) + ", " + process;
                    ratios.add(CostRatio.of(name, costs(before, i, name, process), costs(after, i, name, process)));
                }
            }
        }
        return ratios;
    }

    private void requireSameParts(RoundCosts other) {
        if (names.size() != other.names.size()) {
            throw new BenchFailed("the two versions compare different contestants: " + names + " and " + other.names);
        }
        for (int i = 0; i < names.size(); i++) {
            Set<String> processes = costs.get(i).keySet();
            Set<String> others = other.costs.get(i).keySet();
            if (!processes.equals(others)) {
                throw new BenchFailed("the two versions account for different processes of " + names.get(i) + ": "
                        + processes + " and " + others);
            }
        }
    }

    private static List<Double> costs(List<RoundCosts> rounds, int place, String name, String process) {
        List<Double> costs = rounds.stream()
                .map(round -> round.costs.get(place).get(process))
                .toList();
        if (costs.stream().anyMatch(cost -> cost <= 0)) {
            throw new BenchFailed(
                    name + " used no processor time in a round: give it more time with --with=--seconds=N");
        }
        return costs;
    }

    /** True for a contestant of the product; for every one in scenarios without a peer. */
    private boolean isOurs(int place) {
        return names.stream().noneMatch(RoundCosts::isOurs) || isOurs(names.get(place));
    }

    /** True for the name of a contestant of the product. */
    static boolean isOurs(String name) {
        return name.contains("fanfare") || name.startsWith("the same");
    }

    private static String shortened(String name) {
        return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX - 3) + "...";
    }
}
