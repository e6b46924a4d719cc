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

    /** @throws BenchFailed if the file is not the report of a scenario that compares contestants */
    static RoundCosts read(Path json) {
        try {
            return of(new JsonObject(Files.readString(json)));
        } catch (IOException e) {
            throw new BenchFailed("the report " + json + " cannot be read: " + Reason.of(e));
        } catch (DecodeException | ClassCastException e) {
            throw new BenchFailed("the report " + json + " is not the JSON of a scenario");
        }
    }

    static RoundCosts of(JsonObject report) {
        List<String> names = new ArrayList<>();
        List<Map<String, Double>> costs = new ArrayList<>();
        JsonArray contestants = report.getJsonArray("contestants", new JsonArray());
        for (int i = 0; i < contestants.size(); i++) {
            JsonObject contestant = contestants.getJsonObject(i);
            JsonObject round = contestant.getJsonArray("rounds").getJsonObject(0);
            Map<String, Double> byProcess = new LinkedHashMap<>();
            for (Map.Entry<String, Object> used : round.getJsonObject("cpu-seconds")) {
                if (!LOAD.contains(used.getKey())) {
                    double seconds = ((Number) used.getValue()).doubleValue();
                    byProcess.put(used.getKey(), seconds * 1e6 / round.getLong("units"));
                }
            }
            names.add(contestant.getString("name"));
            costs.add(byProcess);
        }
        if (names.isEmpty()) {
            throw new BenchFailed("bench " + report.getString("scenario") + " reports no contestants to compare");
        }
        return new RoundCosts(names, costs);
    }

    /**
     * The ratios of all contestants and processes, over pairs of rounds. Contestants are matched by their place, since
     * their names may contain measured sizes.
     *
     * @throws BenchFailed if the two versions compare different contestants
     */
    static List<CostRatio> ratios(List<RoundCosts> before, List<RoundCosts> after, boolean oursOnly) {
        RoundCosts first = before.get(0);
        if (first.names.size() != after.get(0).names.size()) {
            throw new BenchFailed(
                    "the two versions compare different contestants: " + first.names + " and " + after.get(0).names);
        }
        List<CostRatio> ratios = new ArrayList<>();
        for (int i = 0; i < first.names.size(); i++) {
            if (oursOnly && !first.isOurs(i)) {
                continue;
            }
            int place = i;
            for (String process : first.costs.get(i).keySet()) {
                List<Double> old = costs(before, place, process);
                List<Double> young = costs(after, place, process);
                if (old.stream().allMatch(cost -> cost > 0) && young.stream().allMatch(cost -> cost > 0)) {
                    ratios.add(CostRatio.of(shortened(first.names.get(i)) + ", " + process, old, young));
                }
            }
        }
        return ratios;
    }

    private static List<Double> costs(List<RoundCosts> rounds, int place, String process) {
        return rounds.stream()
                .map(round -> round.costs.get(place).getOrDefault(process, 0.0))
                .toList();
    }

    /** True for a contestant of the product; for every one in scenarios without a peer. */
    private boolean isOurs(int place) {
        return names.stream().noneMatch(RoundCosts::isOurs) || isOurs(names.get(place));
    }

    private static boolean isOurs(String name) {
        return name.contains("fanfare") || name.startsWith("the same");
    }

    private static String shortened(String name) {
        return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX - 3) + "...";
    }
}
