package io.fanfare.core.queue;

/**
 * One lane of one shard at one instant.
 *
 * @param depth jobs that wait in it
 * @param oldestMillis when the oldest of them was enqueued, Unix time, 0 = none waits; near the truth, since retried
 *     jobs wait out of order
 * @param pausedMillis since when it is paused, Unix time, 0 = it is not
 */
public record LaneStats(long depth, long oldestMillis, long pausedMillis) {
    public boolean isPaused() {
        return pausedMillis > 0;
    }
}
