package io.fanfare.app.operate;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.BatchesInFlight.Found;
import io.fanfare.core.queue.BatchesInFlight.InFlight;
import io.fanfare.core.queue.QueueStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The block that {@code fanfare top} prints. Rates are those between its last two looks. It grows with the workers and
 * the masters, up to {@value #WORKERS_SHOWN} and {@value #NODES_SHOWN}. Of one master it fits into 15 rows, and 60
 * columns have the figures that matter most.
 */
public final class TopReport {
    private static final int WORKERS_SHOWN = 10;
    private static final int NODES_SHOWN = 10;
    private static final long KILO = 1000;
    private static final String NEXT_CONCERN = System.lineSeparator() + "         ";
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

    private final int seconds;
    private Look before;
    private Look now;

    /**
     * The figures of one moment.
     *
     * @param nanos elapsed time
     * @param streams totals of the open streams of one process; empty = none is known
     */
    public record Look(
            long nanos,
            long millis,
            List<QueueStats> queue,
            Found inFlight,
            JsonArray nodes,
            Optional<JsonObject> streams) {
        public Look {
            queue = List.copyOf(queue);
        }
    }

    /** @param seconds between two looks, as the head says */
    public TopReport(int seconds) {
        this.seconds = seconds;
    }

    /** The next look, from which the text is made. */
    public void add(Look look) {
        before = now;
        now = look;
    }

    /** The block for people. Needs a look. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(head(now.millis()));
        lines.add("state    " + state());
        lines.add("");
        queue(lines);
        lines.add("");
        workers(lines);
        lines.add("");
        now.streams().ifPresent(streams -> streams(lines, streams));
        nodes(lines);
        return String.join(System.lineSeparator(), lines);
    }

    /** The block for a look that failed, with the reason. */
    public String failed(long millis, String why) {
        return head(millis) + System.lineSeparator() + "state    Redis does not answer: " + Terminal.printable(why);
    }

    private String head(long millis) {
        return "fanfare top   " + Terminal.time(millis) + ", every " + seconds + " s";
    }

    /** A line for each concern: a narrow window cuts long ones. */
    private String state() {
        List<String> concerns = Concern.ofQueue(now.queue(), now.millis()).stream()
                .map(Concern::what)
                .collect(Collectors.toCollection(ArrayList::new));
        for (int i = 0; i < now.nodes().size(); i++) {
            JsonObject node = now.nodes().getJsonObject(i);
            if (node.containsKey("error")) {
                concerns.add(node.getString("node") + " does not answer");
            }
        }
        return concerns.isEmpty() ? "all is well" : String.join(NEXT_CONCERN, concerns);
    }

    private void queue(List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "queue    waiting %,d   delayed %,d   suspect %,d   dead %,d   in flight %,d in %,d batches",
                sum(QueueStats::waiting),
                sum(QueueStats::delayed),
                sum(QueueStats::suspect),
                sum(QueueStats::dead),
                sum(QueueStats::inFlight),
                sum(QueueStats::batches)));
        lines.add(
                "jobs/s   enqueued " + rate(QueueStats::enqueued) + "   done " + rate(QueueStats::done) + "   retried "
                        + rate(QueueStats::retried) + "   buried " + rate(QueueStats::buried) + "   reaped "
                        + rate(QueueStats::reaped));
        for (Lane lane : Lane.values()) {
            long depth = LanesReport.depth(now.queue(), lane);
            long oldest = LanesReport.oldestSeconds(now.queue(), lane, now.millis());
            lines.add(String.format(
                            Locale.ROOT,
                            "  %-7s%,9d   %s%s",
                            lane.key(),
                            depth,
                            depth == 0 ? "" : "oldest " + oldest + " s",
                            LanesReport.pausedShards(now.queue(), lane) > 0 ? "   paused" : "")
                    .stripTrailing());
        }
    }

    private long sum(ToLongFunction<QueueStats> number) {
        return QueueReport.sum(now.queue(), number);
    }

    /** A dash at the first look. */
    private String rate(ToLongFunction<QueueStats> number) {
        if (before == null) {
            return "-";
        }
        double passed = (now.nanos() - before.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
        double perSecond = (sum(number) - QueueReport.sum(before.queue(), number)) / passed;
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", Math.max(0, perSecond));
    }

    private void workers(List<String> lines) {
        Map<String, List<InFlight>> workers = WorkersReport.byWorker(now.inFlight());
        lines.add(String.format(Locale.ROOT, "%-18s %8s %8s %12s", "WORKER", "BATCHES", "JOBS", "LEASE LEFT"));
        if (workers.isEmpty()) {
            lines.add("none has a job in hand");
        }
        workers.entrySet().stream().limit(WORKERS_SHOWN).forEach(worker -> {
            long left = worker.getValue().stream()
                    .mapToLong(InFlight::leaseLeftMillis)
                    .min()
                    .orElse(0);
            lines.add(String.format(
                    Locale.ROOT,
                    "%-18s %,8d %,8d %10.1f s",
                    Terminal.printable(worker.getKey()),
                    worker.getValue().size(),
                    WorkersReport.jobs(worker.getValue()),
                    left / (double) KILO));
        });
        more(lines, workers.size() - WORKERS_SHOWN);
    }

    private static void more(List<String> lines, int more) {
        if (more > 0) {
            lines.add("and " + more + " more");
        }
    }

    private void streams(List<String> lines, JsonObject streams) {
        lines.add(String.format(
                Locale.ROOT,
                "streams  open %,d   slowest %,d events behind   waiting %s   sent %s",
                streams.getInteger("open"),
                streams.getLong("lag_max"),
                bytes(streams.getLong("waiting")),
                bytes(streams.getLong("bytes"))));
    }

    private void nodes(List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "%-14s %10s %10s %10s %8s %12s   %s",
                "REDIS",
                "MEMORY",
                "AT MOST",
                "COMMANDS/S",
                "CLIENTS",
                "KEYS",
                "ADDRESS"));
        for (int i = 0; i < Math.min(NODES_SHOWN, now.nodes().size()); i++) {
            lines.add(node(now.nodes().getJsonObject(i)));
        }
        more(lines, now.nodes().size() - NODES_SHOWN);
    }

    private static String node(JsonObject node) {
        String address = Terminal.printable(node.getString("node"));
        if (node.containsKey("error")) {
            return "no answer: " + Terminal.printable(String.valueOf(node.getString("error"))) + "   " + address;
        }
        long most = number(node, "maxmemory");
        return String.format(
                Locale.ROOT,
                "%-14s %10s %10s %,10d %,8d %,12d   %s",
                node.containsKey("valkey_version")
                        ? "Valkey " + node.getString("valkey_version")
                        : "Redis " + node.getString("redis_version"),
                bytes(number(node, "used_memory")),
                most == 0 ? "-" : bytes(most),
                number(node, "instantaneous_ops_per_sec"),
                number(node, "connected_clients"),
                node.getLong("keys"),
                address);
    }

    private static long number(JsonObject node, String field) {
        return Long.parseLong(node.getString(field, "0"));
    }

    private static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= KILO && unit < UNITS.length - 1) {
            value /= KILO;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }
}
