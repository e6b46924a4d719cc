package io.fanfare.app.operate;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.LanePause;
import io.fanfare.core.queue.LaneStats;
import io.fanfare.core.queue.QueueStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** The waiting jobs of each lane and its deepest shards, and the result of pausing a lane. */
public final class LanesReport {
    private static final int DEEPEST = 3;

    private LanesReport() {}

    /** For programs. */
    public static JsonObject json(List<QueueStats> shards) {
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

    public static LaneStats of(QueueStats shard, Lane lane) {
        return shard.lanes().get(lane);
    }

    public static long depth(List<QueueStats> shards, Lane lane) {
        return numbers(shards, lane, LaneStats::depth).sum();
    }

    public static List<QueueStats> deepest(List<QueueStats> shards, Lane lane) {
        return shards.stream()
                .filter(shard -> of(shard, lane).depth() > 0)
                .sorted(Comparator.comparingLong(
                                (QueueStats shard) -> of(shard, lane).depth())
                        .reversed())
                .limit(DEEPEST)
                .toList();
    }

    public static long oldestSeconds(List<QueueStats> shards, Lane lane) {
        return oldestSeconds(shards, lane, Clock.systemUTC().millis());
    }

    static long oldestSeconds(List<QueueStats> shards, Lane lane, long nowMillis) {
        long oldest = numbers(shards, lane, LaneStats::oldestMillis)
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
        return oldest == 0 ? 0 : Math.max(0, nowMillis - oldest) / 1000;
    }

    public static long pausedShards(List<QueueStats> shards, Lane lane) {
        return shards.stream().filter(shard -> of(shard, lane).isPaused()).count();
    }

    public static long pausedSince(List<QueueStats> shards, Lane lane) {
        return numbers(shards, lane, LaneStats::pausedMillis)
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
    }

    private static LongStream numbers(List<QueueStats> shards, Lane lane, ToLongFunction<LaneStats> number) {
        return shards.stream().mapToLong(shard -> number.applyAsLong(of(shard, lane)));
    }

    /**
     * The result of pausing or resuming a lane, for programs.
     *
     * @param shards how many there are
     */
    public static JsonObject json(Lane lane, boolean paused, LanePause.Result result, int shards) {
        JsonArray unreached = new JsonArray();
        result.unreached()
                .forEach((shard, reason) ->
                        unreached.add(new JsonObject().put("shard", shard).put("error", reason)));
        return new JsonObject()
                .put("lane", lane.key())
                .put("paused", paused)
                .put("shards", shards)
                .put("changed", result.changed())
                .put("unreached", unreached);
    }
}
