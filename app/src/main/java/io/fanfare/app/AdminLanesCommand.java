package io.fanfare.app;

import io.fanfare.app.operate.LanesReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin queue lanes}: what waits in each lane, and where. */
@Command(
        name = "lanes",
        mixinStandardHelpOptions = true,
        description =
                "Shows each lane: jobs that wait, the age of the oldest, whether it is paused, the deepest shards.")
final class AdminLanesCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Mixin
    private Watch watch;

    @Override
    public Integer call() {
        return watch.show(options, JobQueue::stats, LanesReport::json, AdminLanesCommand::table);
    }

    private static String table(List<QueueStats> shards) {
        StringBuilder text = new StringBuilder(row("LANE", "WAITING", "OLDEST", "PAUSED", "DEEPEST SHARDS"));
        for (Lane lane : Lane.values()) {
            String deepest = LanesReport.deepest(shards, lane).stream()
                    .map(shard -> shard.shard() + ": "
                            + String.format(
                                    Locale.ROOT,
                                    "%,d",
                                    LanesReport.of(shard, lane).depth()))
                    .collect(Collectors.joining("  "));
            long depth = LanesReport.depth(shards, lane);
            text.append(System.lineSeparator())
                    .append(row(
                            lane.key(),
                            String.format(Locale.ROOT, "%,d", depth),
                            depth == 0 ? "-" : LanesReport.oldestSeconds(shards, lane) + " s",
                            paused(shards, lane),
                            deepest));
        }
        return text.toString();
    }

    private static String row(Object... columns) {
        return String.format(Locale.ROOT, "%-6s  %12s  %9s  %-42s  %s", columns).stripTrailing();
    }

    private static String paused(List<QueueStats> shards, Lane lane) {
        long count = LanesReport.pausedShards(shards, lane);
        if (count == 0) {
            return "no";
        }
        String since = "since " + Terminal.time(LanesReport.pausedSince(shards, lane));
        return count == shards.size() ? since : "in " + count + " of " + shards.size() + " shards " + since;
    }
}
