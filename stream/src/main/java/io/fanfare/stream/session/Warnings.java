package io.fanfare.stream.session;

import java.time.Duration;

/**
 * The times of warnings to a reader served from the log, by the nearness of its place to the log's end: at 60 percent,
 * after that every five minutes at most, and at 90 without waiting; all over again once it has less than half of the
 * log before it. Confined to one event loop.
 */
public final class Warnings {
    private static final int FIRST = 60;
    private static final int LATE = 90;
    private static final int AGAIN_BELOW = 50;
    private static final long EVERY_NANOS = Duration.ofMinutes(5).toNanos();

    private int warnedAt; // 0 = not yet
    private long warnedAtNanos;

    /**
     * Whether a warning is due now; it then counts as given.
     *
     * @param percentFull how much of what the log keeps the reader has before it, 0 to 100
     */
    public boolean due(int percentFull, long nanos) {
        boolean first = percentFull >= FIRST && (warnedAt == 0 || nanos - warnedAtNanos >= EVERY_NANOS);
        boolean late = percentFull >= LATE && warnedAt < LATE;
        if (first || late) {
            warnedAt = percentFull;
            warnedAtNanos = nanos;
        } else if (percentFull < AGAIN_BELOW) {
            warnedAt = 0;
        }
        return first || late;
    }
}
