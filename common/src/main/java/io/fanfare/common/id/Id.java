package io.fanfare.common.id;

/**
 * The 53-bit ids of users, statuses and follow edges: 41 bits of milliseconds since 2024-01-01 UTC, 10 bits of shard, 2
 * bits of counter.
 *
 * <p>53 bits are exact as a Redis ZSET score, as a Lua number, as a JSON number and as a JavaScript number; on the wire
 * ids are decimal strings. An id carries the shard of the user it belongs to (a status carries its author's), so the
 * Redis slot of anything is known from its id alone. Ids are given out by {@code lua/lib/next_id.lua} inside the script
 * that stores the record, so that id order is commit order within a shard.
 */
public final class Id {
    /** 2024-01-01T00:00:00Z in epoch milliseconds. */
    public static final long EPOCH_MILLIS = 1_704_067_200_000L;

    /** The largest id, 2^53 - 1. Also serves as "newer than everything" in cursors. */
    public static final long MAX = (1L << 53) - 1;

    private static final int COUNTER_BITS = 2;
    private static final int SHARD_BITS = 10;

    /** The highest number of shards that fits an id. */
    public static final int SHARDS_MAX = 1 << SHARD_BITS;

    private Id() {}

    /** The id with these parts; {@code epochMillis} in Unix time, {@code counter} 0..3. */
    public static long of(long epochMillis, int shard, int counter) {
        if (shard < 0
                || shard >= SHARDS_MAX
                || counter < 0
                || counter >= 1 << COUNTER_BITS
                || epochMillis < EPOCH_MILLIS) {
            throw new IllegalArgumentException(
                    "no id has millis=" + epochMillis + " shard=" + shard + " counter=" + counter);
        }
        return (epochMillis - EPOCH_MILLIS) << (SHARD_BITS + COUNTER_BITS) | (long) shard << COUNTER_BITS | counter;
    }

    /** The shard that an id belongs to, 0..1023. */
    public static int shard(long id) {
        return (int) (id >>> COUNTER_BITS) & (SHARDS_MAX - 1);
    }

    /**
     * When the id was given out, Unix milliseconds; runs ahead of the clock only while a shard gives out more than 4
     * ids a millisecond.
     */
    public static long epochMillis(long id) {
        return (id >>> (SHARD_BITS + COUNTER_BITS)) + EPOCH_MILLIS;
    }

    /** Reads a decimal id from outside; -1 when it is not one (1..2^53-1, digits only, no leading zero). */
    public static long parse(String text) {
        if (text == null || text.isEmpty() || text.length() > 16 || text.charAt(0) == '0') {
            return -1;
        }
        long id = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            id = id * 10 + (c - '0');
        }
        return id <= MAX ? id : -1;
    }
}
