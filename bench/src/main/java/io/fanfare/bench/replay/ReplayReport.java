package io.fanfare.bench.replay;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/** Prints what a replay found, in words and figures. */
final class ReplayReport {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private ReplayReport() {}

    /** Prints the whole report. */
    static void print(Outcome outcome, Plan plan, PrintStream out) {
        double posting = outcome.postingNanos() / NANOS_PER_SECOND;
        double delivering = outcome.quietNanos() / NANOS_PER_SECOND;
        out.printf(
                "posts      %,d of %,d acknowledged in %.1f s: %,.0f/s, %s%n",
                outcome.acknowledged(), plan.posts(), posting, outcome.acknowledged() / posting, mode(plan));
        if (outcome.votes() > 0) {
            double voting = outcome.votingNanos() / NANOS_PER_SECOND;
            out.printf(
                    "votes      %,d cast on %,d articles in %.1f s: %,.0f/s%n",
                    outcome.votes(), plan.articles(), voting, outcome.votes() / voting);
        }
        out.printf("retried    %s%n", retries(outcome.retries()));
        out.printf(
                "quiet      %s%n",
                outcome.quiet()
                        ? String.format("%.1f s after the first post", delivering)
                        : "not reached in " + plan.settle().toSeconds() + " s");
        out.printf("deliveries %,d home entries: %,.0f/s%n", outcome.deliveries(), outcome.deliveries() / delivering);
        out.printf(
                "homes      %,d compared %s; rebuilt during the run: %s%n",
                outcome.homes(), outcome.homesBy(), rebuilt(outcome));
        out.printf("verified   %s%n", verified(outcome));
        out.printf(
                "stream     %,d of %,d statuses came; %d reconnects, %d gaps%n",
                outcome.streamed(), outcome.acknowledged(), outcome.streamReconnects(), outcome.streamGaps());
        out.println();
        out.printf("%-26s %8s %9s %9s %9s %9s %9s%n", "latency, ms", "count", "p50", "p90", "p99", "p99.9", "max");
        latency(out, "post -> acknowledged", outcome.latencies().acknowledged());
        latency(out, "post -> last delivery (*)", outcome.latencies().delivered());
        latency(out, "post -> stream", outcome.latencies().arrived());
        out.println("All from the post's start" + (plan.rate() > 0 ? ", the time that the rate sets" : "")
                + ", repeated attempts included.");
        out.println(
                "(*) of a sample of the posts, until the home of every follower was seen to hold it; too long by up to one look"
                        + (outcome.abandoned() == 0
                                ? "."
                                : "; " + outcome.abandoned() + " samples could not be followed to the end."));
        out.println();
        out.printf("differences %,d%n", outcome.differences().count());
        List<String> first = outcome.differences().first();
        first.forEach(sentence -> out.println("  " + sentence));
        if (outcome.differences().count() > first.size()) {
            out.printf("  and %,d more%n", outcome.differences().count() - first.size());
        }
    }

    private static String mode(Plan plan) {
        return plan.rate() > 0
                ? String.format("open loop at %,.0f/s", plan.rate())
                : "closed loop with " + plan.atOnce() + " requests at once";
    }

    private static String retries(Map<String, Long> retries) {
        if (retries.isEmpty()) {
            return "no request";
        }
        StringJoiner causes = new StringJoiner(", ");
        retries.forEach((cause, count) -> causes.add(String.format("%,d x %s", count, cause)));
        return causes.toString();
    }

    private static String verified(Outcome outcome) {
        return outcome.verified()
                .map(report -> String.format(
                        "%,d accounts, %,d edges, %,d statuses, %,d keys in %.1f s: %,d differences, %,d in flux",
                        report.looked().getOrDefault("accounts", 0L),
                        report.looked().getOrDefault("edges", 0L),
                        report.looked().getOrDefault("statuses", 0L),
                        report.looked().getOrDefault("keys", 0L),
                        outcome.verifyNanos() / NANOS_PER_SECOND,
                        report.leftCount(),
                        report.inFluxCount()))
                .orElse("not over HTTP");
    }

    private static String rebuilt(Outcome outcome) {
        return outcome.homesRebuilt().isPresent()
                ? Long.toString(outcome.homesRebuilt().getAsLong())
                : "cannot be seen over HTTP";
    }

    private static void latency(PrintStream out, String what, Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            out.printf("%-26s %8d%n", what, 0);
            return;
        }
        out.printf(
                "%-26s %,8d %9.2f %9.2f %9.2f %9.2f %9.2f%n",
                what,
                nanos.getTotalCount(),
                nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
                nanos.getValueAtPercentile(90) / NANOS_PER_MILLI,
                nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
                nanos.getValueAtPercentile(99.9) / NANOS_PER_MILLI,
                nanos.getMaxValue() / NANOS_PER_MILLI);
    }
}
