package io.fanfare.core.queue;

import io.fanfare.common.queue.Lane;
import io.fanfare.redis.Reply;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of one shard's queue at one instant.
 *
 * @param high jobs waiting; so are {@code normal}, {@code low} and {@code suspect}
 * @param delayed jobs that are not due yet
 * @param batches batches in flight
 * @param dead dead letters that are kept
 * @param oldestMillis when the oldest waiting job was enqueued, Unix time, 0 = none waits; near the truth, since
 *     retried jobs wait out of order
 * @param enqueued jobs ever accepted, like all that follow a count since the shard began
 * @param retried failures that were tried again or put off
 * @param buried jobs that became dead letters
 * @param dropped dead letters that were let go, being too old or equal to another
 * @param replayed dead letters that were given a new life
 * @param reaped jobs taken from workers that died
 * @param lanes each lane by itself
 */
public record QueueStats(
        int shard,
        long high,
        long normal,
        long low,
        long suspect,
        long delayed,
        long batches,
        long dead,
        long oldestMillis,
        long enqueued,
        long done,
        long retried,
        long buried,
        long dropped,
        long replayed,
        long reaped,
        Map<Lane, LaneStats> lanes) {

    /** Reads what {@code queue_stats.lua} answers. Throws {@link IllegalStateException} when it lacks a number. */
    static QueueStats of(int shard, Reply namesAndNumbers) {
        List<Reply> items = namesAndNumbers.items();
        Map<String, Long> numbers = new HashMap<>();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            numbers.put(items.get(i).asString(), items.get(i + 1).asLong());
        }
        return new QueueStats(
                shard,
                number(numbers, "high"),
                number(numbers, "normal"),
                number(numbers, "low"),
                number(numbers, "suspect"),
                number(numbers, "delayed"),
                number(numbers, "batches"),
                number(numbers, "dead"),
                number(numbers, "oldest"),
                number(numbers, "enqueued"),
                number(numbers, "done"),
                number(numbers, "retried"),
                number(numbers, "buried"),
                number(numbers, "dropped"),
                number(numbers, "replayed"),
                number(numbers, "reaped"),
                lanes(numbers));
    }

    private static Map<Lane, LaneStats> lanes(Map<String, Long> numbers) {
        Map<Lane, LaneStats> lanes = new EnumMap<>(Lane.class);
        for (Lane lane : Lane.values()) {
            String name = lane.key();
            lanes.put(
                    lane,
                    new LaneStats(
                            number(numbers, name),
                            number(numbers, "oldest_" + name),
                            numbers.getOrDefault("paused_" + name, 0L)));
        }
        return lanes;
    }

    private static long number(Map<String, Long> numbers, String name) {
        Long number = numbers.get(name);
        if (number == null) {
            throw new IllegalStateException("queue_stats answered no " + name);
        }
        return number;
    }

    public long waiting() {
        return high + normal + low + suspect;
    }

    /**
     * Jobs in batches: what the equation {@code enqueued = done + waiting + in flight + delayed + dead + dropped}
     * leaves. 0 when no batch is in flight, or something was lost.
     */
    public long inFlight() {
        return enqueued - done - waiting() - delayed - dead - dropped;
    }

    /** Whether nothing waits, runs or is delayed. */
    public boolean isQuiet() {
        return waiting() + delayed + batches == 0;
    }
}
