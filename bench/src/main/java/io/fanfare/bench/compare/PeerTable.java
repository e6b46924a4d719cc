package io.fanfare.bench.compare;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.Comparison;
import io.fanfare.failure.Reason;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The figures of several scenarios, a row for each peer. A ratio above 1 is better for Fanfare: it does more a second,
 * or takes less processor time. The processor time is that of all processes but those of the load.
 */
final class PeerTable {
    private static final String ROW = "%-14s %-38s %12s %9s  %-36s %12s %9s %8s %8s%n";

    private final List<String> rows = new ArrayList<>();
    private boolean complete = true;

    /**
     * @param perSecond units of work a second, the median of the rounds
     * @param micros processor microseconds a unit, the same
     */
    private record Side(String name, double perSecond, double micros) {}

    /**
     * Adds the rows of a scenario's report.
     *
     * @throws BenchFailed if the file is not such a report
     */
    void add(Path json) {
        try {
            add(new JsonObject(Files.readString(json)));
        } catch (IOException e) {
            throw new BenchFailed("the report " + json + " cannot be read: " + Reason.of(e));
        } catch (DecodeException | ClassCastException | NullPointerException e) {
            throw new BenchFailed("the report " + json + " is not the JSON of a scenario");
        }
    }

    private void add(JsonObject report) {
        List<Side> ours = new ArrayList<>();
        List<Side> peers = new ArrayList<>();
        for (Object each : report.getJsonArray("contestants", new JsonArray())) {
            JsonObject contestant = (JsonObject) each;
            Side side = side(contestant);
            (RoundCosts.isOurs(side.name()) ? ours : peers).add(side);
        }
        String scenario = report.getString("scenario");
        if (ours.isEmpty()) {
            throw new BenchFailed("bench " + scenario + " reports no figures of Fanfare");
        }
        Side first = ours.get(0);
        if (peers.isEmpty()) {
            rows.add(row(scenario, first, "-", "-", "-", "-", "-"));
        }
        for (Side peer : peers) {
            rows.add(row(
                    scenario,
                    first,
                    peer.name(),
                    number(peer.perSecond()),
                    micros(peer.micros()),
                    ratio(first.perSecond() / peer.perSecond()),
                    ratio(peer.micros() / first.micros())));
        }
    }

    private static Side side(JsonObject contestant) {
        JsonArray rounds = contestant.getJsonArray("rounds");
        double[] micros = new double[rounds.size()];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = RoundCosts.microsOfServers(rounds.getJsonObject(i));
        }
        return new Side(contestant.getString("name"), contestant.getDouble("per-second"), Comparison.median(micros));
    }

    /** A row that says why a scenario has no figures. */
    void addFailure(String scenario, String reason) {
        complete = false;
        rows.add(String.format("%-14s %s%n", scenario, reason));
    }

    /** Whether no scenario has failed. */
    boolean isComplete() {
        return complete;
    }

    void print(PrintStream out) {
        out.printf(ROW, "scenario", "Fanfare", "a second", "us", "beside", "a second", "us", "speed", "us");
        rows.forEach(out::print);
        out.println();
        out.println(
                "us = processor microseconds a unit of all processes but those of the load. The last two columns are"
                        + " ratios: above 1, Fanfare does more a second or takes less processor time.");
    }

    private static String row(
            String scenario, Side ours, String peer, String perSecond, String micros, String speed, String cheaper) {
        return String.format(
                ROW,
                scenario,
                ours.name(),
                number(ours.perSecond()),
                micros(ours.micros()),
                peer,
                perSecond,
                micros,
                speed,
                cheaper);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2fx", value);
    }
}
