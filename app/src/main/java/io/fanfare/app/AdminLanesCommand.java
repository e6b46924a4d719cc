package io.fanfare.app;

import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.LaneStats;
import io.fanfare.common.queue.QueueStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin queue lanes}: what waits in each lane, and where. */
@Command(
        name = "lanes",
        mixinStandardHelpOptions = true,
        description = "Each lane: jobs that wait, the age of the oldest, whether it is paused, the deepest shards.")
final class AdminLanesCommand implements Callable<Integer> {
    private static final int DEEPEST = 3;

    @Mixin
    private SettingsOptions options;

    @Mixin
    private Watch watch;

    @Override
    public Integer call() {
        return watch.show(options, JobQueue::stats, AdminLanesCommand::json, AdminLanesCommand::table);
    }

    private static String table(List<QueueStats> shards) {
        StringBuilder text = new StringBuilder(row("LANE", "WAITING", "OLDEST", "PAUSED", "DEEPEST SHARDS"));
        for (Lane lane : Lane.values()) {
            String deepest = deepest(shards, lane).stream()
                    .map(shard -> shard.shard() + ": "
                            + String.format(Locale.ROOT, "%,d", of(shard, lane).depth()))
                    .collect(Collectors.joining("  "));
            long depth = depth(shards, lane);
            text.append(System.lineSeparator())
                    .append(row(
                            lane.key(),
                            String.format(Locale.ROOT, "%,d", depth),
                            depth == 0 ? "-" : oldestSeconds(shards, lane) + " s",
                            paused(shards, lane),
                            deepest));
        }
        return text.toString();
    }

    private static String row(Object... columns) {
        return String.format(Locale.ROOT, "%-6s  %12s  %9s  %-42s  %s", columns).stripTrailing();
    }

    private static String paused(List<QueueStats> shards, Lane lane) {
        long count = pausedShards(shards, lane);
        if (count == 0) {
            return "no";
        }
        String since = "since " + Terminal.time(pausedSince(shards, lane));
        return count == shards.size() ? since : "in " + count + " of " + shards.size() + " shards " + since;
    }

    private static JsonObject json(List<QueueStats> shards) {
        JsonArray lanes = new JsonArray();
        for (Lane lane : Lane.values()) {
            JsonArray deepest = new JsonArray();
            deepest(shards, lane)
                    .forEach(shard -> deepest.add(new JsonObject()
                            .put("shard", shard.shard())
                            .put("waiting", of(shard, lane).depth())));
            long paused = pausedShards(shards, lane);
            JsonObject one = new JsonObject()
                    .put("lane", lane.key())
                    .put("waiting", depth(shards, lane))
                    .put("oldest_seconds", oldestSeconds(shards, lane))
                    .put("paused", paused > 0)
                    .put("paused_shards", paused);
            if (paused > 0) {
                one.put("paused_since", Terminal.time(pausedSince(shards, lane)));
            }
            lanes.add(one.put("deepest", deepest));
        }
        return new JsonObject().put("shards", shards.size()).put("lanes", lanes);
    }

    private static LaneStats of(QueueStats shard, Lane lane) {
        return shard.lanes().get(lane);
    }

    private static long depth(List<QueueStats> shards, Lane lane) {
        return numbers(shards, lane, LaneStats::depth).sum();
    }

    private static List<QueueStats> deepest(List<QueueStats> shards, Lane lane) {
        return shards.stream()
                .filter(shard -> of(shard, lane).depth() > 0)
                .sorted(Comparator.comparingLong(
                                (QueueStats shard) -> of(shard, lane).depth())
                        .reversed())
                .limit(DEEPEST)
                .toList();
    }

    private static long oldestSeconds(List<QueueStats> shards, Lane lane) {
        long oldest = numbers(shards, lane, LaneStats::oldestMillis)
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
        return oldest == 0 ? 0 : Math.max(0, Clock.systemUTC().millis() - oldest) / 1000;
    }

    private static long pausedShards(List<QueueStats> shards, Lane lane) {
        return shards.stream().filter(shard -> of(shard, lane).isPaused()).count();
    }

    private static long pausedSince(List<QueueStats> shards, Lane lane) {
        return numbers(shards, lane, LaneStats::pausedMillis)
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
    }

    private static LongStream numbers(List<QueueStats> shards, Lane lane, ToLongFunction<LaneStats> number) {
        return shards.stream().mapToLong(shard -> number.applyAsLong(of(shard, lane)));
    }
}
