package io.fanfare.common.queue;

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
        long reaped) {

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
