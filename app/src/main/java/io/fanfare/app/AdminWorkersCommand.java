package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.app.operate.WorkersReport;
import io.fanfare.core.queue.BatchesInFlight.Found;
import io.fanfare.core.queue.BatchesInFlight.InFlight;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin queue workers}: who has which batches in hand. */
@Command(
        name = "workers",
        mixinStandardHelpOptions = true,
        description =
                "Shows each worker that has jobs in hand, by the name in its log: batches, jobs, what is left of the"
                        + " lease that ends first, shards. A worker without a job is not seen.")
final class AdminWorkersCommand implements Callable<Integer> {
    private static final int SHARDS_SHOWN = 8;

    @Mixin
    private SettingsOptions options;

    @Mixin
    private Watch watch;

    @Override
    public Integer call() {
        return watch.show(
                options,
                queue -> queue.batchesInFlight().list(WorkersReport.BATCHES_MAX),
                WorkersReport::json,
                AdminWorkersCommand::table);
    }

    private static String table(Found found) {
        StringBuilder text = new StringBuilder(row("WORKER", "BATCHES", "JOBS", "LEASE LEFT", "SHARDS"));
        WorkersReport.byWorker(found).forEach((worker, batches) -> {
            text.append(System.lineSeparator())
                    .append(row(
                            Terminal.printable(worker),
                            batches.size(),
                            WorkersReport.jobs(batches),
                            lease(batches),
                            shards(batches)));
        });
        text.append(System.lineSeparator())
                .append(String.format(
                        Locale.ROOT,
                        "%,d jobs in %,d batches of %,d workers",
                        WorkersReport.jobs(found.batches()),
                        found.batches().size(),
                        WorkersReport.byWorker(found).size()));
        if (found.more()) {
            text.append("; there are more batches, not shown");
        }
        if (!found.unreached().isEmpty()) {
            text.append("; no answer from shard ")
                    .append(found.unreached().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        return text.toString();
    }

    private static String row(Object... columns) {
        return String.format(Locale.ROOT, "%-16s  %8s  %8s  %14s  %s", columns).stripTrailing();
    }

    private static String lease(List<InFlight> batches) {
        long left = batches.stream().mapToLong(InFlight::leaseLeftMillis).min().orElse(0);
        String seconds = String.format(Locale.ROOT, "%.1f s", Math.abs(left) / 1000.0);
        return left < 0 ? "ended " + seconds : seconds;
    }

    private static String shards(List<InFlight> batches) {
        List<Integer> shards =
                batches.stream().map(InFlight::shard).distinct().sorted().toList();
        return shards.stream().limit(SHARDS_SHOWN).map(String::valueOf).collect(Collectors.joining(", "))
                + (shards.size() > SHARDS_SHOWN ? " and " + (shards.size() - SHARDS_SHOWN) + " more" : "");
    }
}
