package io.fanfare.app;

import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.QueueStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin queue}: what waits, what runs, what died of it. */
@Command(
        name = "queue",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "The task queue.",
        subcommands = {
            AdminLanesCommand.class,
            AdminWorkersCommand.class,
            AdminJobCommand.class,
            AdminPauseCommand.Pause.class,
            AdminPauseCommand.Resume.class,
            AdminDeadCommand.class
        })
final class AdminQueueCommand {
    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description = "Jobs waiting, running, delayed, dead; and counts since the data set began.")
    int stats(@Mixin SettingsOptions options, @Mixin Watch watch) {
        return watch.show(options, JobQueue::stats, AdminQueueCommand::json, AdminQueueCommand::table);
    }

    private static String table(List<QueueStats> shards) {
        long oldest = oldestSeconds(shards);
        return String.join(
                System.lineSeparator(),
                line(
                        "waiting",
                        sum(shards, QueueStats::waiting),
                        "high " + sum(shards, QueueStats::high) + ", normal " + sum(shards, QueueStats::normal)
                                + ", low " + sum(shards, QueueStats::low) + ", suspect "
                                + sum(shards, QueueStats::suspect)
                                + (oldest == 0 ? "" : "; the oldest for " + oldest + " s") + pausedLanes(shards)),
                line(
                        "in flight",
                        sum(shards, QueueStats::inFlight),
                        "in " + sum(shards, QueueStats::batches) + " batches"),
                line("delayed", sum(shards, QueueStats::delayed), "until a retry is due"),
                line("dead", sum(shards, QueueStats::dead), "given up and kept; see `fanfare admin queue dead list`"),
                line("enqueued", sum(shards, QueueStats::enqueued), "since the data set began, as all below"),
                line("done", sum(shards, QueueStats::done), ""),
                line("retried", sum(shards, QueueStats::retried), "failures that were tried again or put off"),
                line("buried", sum(shards, QueueStats::buried), "became dead letters"),
                line("replayed", sum(shards, QueueStats::replayed), "dead letters given a new life"),
                line("dropped", sum(shards, QueueStats::dropped), "dead letters let go"),
                line("reaped", sum(shards, QueueStats::reaped), "taken from workers that died"));
    }

    private static String pausedLanes(List<QueueStats> shards) {
        String lanes = paused(shards).stream().map(Lane::key).collect(Collectors.joining(", "));
        return lanes.isEmpty() ? "" : "; paused: " + lanes;
    }

    /** The lanes that are paused in any shard. */
    private static List<Lane> paused(List<QueueStats> shards) {
        return Stream.of(Lane.values())
                .filter(lane -> shards.stream()
                        .anyMatch(shard -> shard.lanes().get(lane).isPaused()))
                .toList();
    }

    private static String line(String name, long value, String remark) {
        return String.format("%-10s %,12d   %s", name, value, remark).stripTrailing();
    }

    private static JsonObject json(List<QueueStats> shards) {
        JsonArray lines = new JsonArray();
        shards.forEach(shard -> lines.add(numbers(List.of(shard)).put("shard", shard.shard())));
        return numbers(shards).put("shards", lines);
    }

    private static JsonObject numbers(List<QueueStats> shards) {
        return new JsonObject()
                .put("waiting", sum(shards, QueueStats::waiting))
                .put("high", sum(shards, QueueStats::high))
                .put("normal", sum(shards, QueueStats::normal))
                .put("low", sum(shards, QueueStats::low))
                .put("suspect", sum(shards, QueueStats::suspect))
                .put("oldest_seconds", oldestSeconds(shards))
                .put(
                        "paused",
                        new JsonArray(paused(shards).stream().map(Lane::key).toList()))
                .put("in_flight", sum(shards, QueueStats::inFlight))
                .put("batches", sum(shards, QueueStats::batches))
                .put("delayed", sum(shards, QueueStats::delayed))
                .put("dead", sum(shards, QueueStats::dead))
                .put("enqueued", sum(shards, QueueStats::enqueued))
                .put("done", sum(shards, QueueStats::done))
                .put("retried", sum(shards, QueueStats::retried))
                .put("buried", sum(shards, QueueStats::buried))
                .put("replayed", sum(shards, QueueStats::replayed))
                .put("dropped", sum(shards, QueueStats::dropped))
                .put("reaped", sum(shards, QueueStats::reaped));
    }

    private static long sum(List<QueueStats> shards, ToLongFunction<QueueStats> number) {
        return shards.stream().mapToLong(number).sum();
    }

    /** How long the oldest job has waited; 0 = none waits. */
    private static long oldestSeconds(List<QueueStats> shards) {
        long now = Clock.systemUTC().millis();
        return shards.stream()
                .mapToLong(QueueStats::oldestMillis)
                .filter(millis -> millis > 0)
                .map(millis -> Math.max(0, now - millis) / 1000)
                .max()
                .orElse(0);
    }
}
