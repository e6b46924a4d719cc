package io.fanfare.app.operate;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.QueueStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The numbers of the queue, of all shards together and of each. */
public final class QueueReport {
    private QueueReport() {}

    /** The lanes that are paused in any shard. */
    public static List<Lane> paused(List<QueueStats> shards) {
        return Stream.of(Lane.values())
                .filter(lane -> shards.stream()
                        .anyMatch(shard -> shard.lanes().get(lane).isPaused()))
                .toList();
    }

    /** The keys of the paused lanes, for programs. */
    public static JsonArray pausedKeys(List<QueueStats> shards) {
        return new JsonArray(paused(shards).stream().map(Lane::key).toList());
    }

    /** For programs. */
    public static JsonObject json(List<QueueStats> shards) {
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
                .put("paused", pausedKeys(shards))
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

    /** The sum of a number over all shards. */
    public static long sum(List<QueueStats> shards, ToLongFunction<QueueStats> number) {
        return shards.stream().mapToLong(number).sum();
    }

    /** How long the oldest job has waited; 0 = none waits. */
    public static long oldestSeconds(List<QueueStats> shards) {
        return oldestSeconds(shards, Clock.systemUTC().millis());
    }

    static long oldestSeconds(List<QueueStats> shards, long nowMillis) {
        return shards.stream()
                .mapToLong(QueueStats::oldestMillis)
                .filter(millis -> millis > 0)
                .map(millis -> Math.max(0, nowMillis - millis) / 1000)
                .max()
                .orElse(0);
    }
}
