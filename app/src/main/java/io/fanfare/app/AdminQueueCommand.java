package io.fanfare.app;

import io.fanfare.app.operate.QueueReport;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin queue}: what waits, what runs, what died of it. */
@Command(
        name = "queue",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows the task queue, and mends it.",
        subcommands = {
            AdminLanesCommand.class,
            AdminWorkersCommand.class,
            AdminJobCommand.class,
            AdminAuthorsCommand.class,
            AdminFailuresCommand.class,
            AdminPauseCommand.Pause.class,
            AdminPauseCommand.Resume.class,
            AdminDelayedCommand.class,
            AdminDeadCommand.class
        })
final class AdminQueueCommand {
    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description = "Shows how many jobs wait, run, are delayed or dead, and counts since the data set began.")
    int stats(@Mixin SettingsOptions options, @Mixin Watch watch) {
        return watch.show(options, JobQueue::stats, QueueReport::json, AdminQueueCommand::table);
    }

    private static String table(List<QueueStats> shards) {
        long oldest = QueueReport.oldestSeconds(shards);
        return String.join(
                System.lineSeparator(),
                line(
                        "waiting",
                        QueueReport.sum(shards, QueueStats::waiting),
                        "high " + QueueReport.sum(shards, QueueStats::high) + ", normal "
                                + QueueReport.sum(shards, QueueStats::normal)
                                + ", low " + QueueReport.sum(shards, QueueStats::low) + ", suspect "
                                + QueueReport.sum(shards, QueueStats::suspect)
                                + (oldest == 0 ? "" : "; the oldest for " + oldest + " s") + pausedLanes(shards)),
                line(
                        "in flight",
                        QueueReport.sum(shards, QueueStats::inFlight),
                        "in " + QueueReport.sum(shards, QueueStats::batches) + " batches"),
                line("delayed", QueueReport.sum(shards, QueueStats::delayed), "until a retry is due"),
                line(
                        "dead",
                        QueueReport.sum(shards, QueueStats::dead),
                        "given up and kept; see `fanfare admin queue dead list`"),
                line(
                        "enqueued",
                        QueueReport.sum(shards, QueueStats::enqueued),
                        "since the data set began, as all below"),
                line("done", QueueReport.sum(shards, QueueStats::done), ""),
                line(
                        "retried",
                        QueueReport.sum(shards, QueueStats::retried),
                        "failures that were tried again or put off"),
                line("buried", QueueReport.sum(shards, QueueStats::buried), "became dead letters"),
                line("replayed", QueueReport.sum(shards, QueueStats::replayed), "dead letters given a new life"),
                line("dropped", QueueReport.sum(shards, QueueStats::dropped), "dead letters let go"),
                line("reaped", QueueReport.sum(shards, QueueStats::reaped), "taken from workers that died"));
    }

    private static String pausedLanes(List<QueueStats> shards) {
        String lanes = QueueReport.paused(shards).stream().map(Lane::key).collect(Collectors.joining(", "));
        return lanes.isEmpty() ? "" : "; paused: " + lanes;
    }

    private static String line(String name, long value, String remark) {
        return String.format("%-10s %,12d   %s", name, value, remark).stripTrailing();
    }
}
