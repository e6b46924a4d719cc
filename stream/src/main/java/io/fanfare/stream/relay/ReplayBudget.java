package io.fanfare.stream.relay;

import java.time.Duration;

/**
 * How fast Redis is read for one stream that comes back or has fallen behind: so many events a second, a second's worth
 * at once. A crowd that reads the past must not hold up what is happening now. Confined to one event loop.
 */
public final class ReplayBudget {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long nanosPerEvent;

    /** Until when what was taken is paid for; a second ago = a full budget. */
    private long paidUntil;

    public ReplayBudget(int eventsPerSecond, long nanos) {
        nanosPerEvent = SECOND / eventsPerSecond;
        paidUntil = nanos - SECOND;
    }

    /**
     * Takes so many events, a second's worth at most, and answers 0; or takes none and answers after how many ms it is
     * worth while to ask again.
     */
    public long take(int events, long nanos) {
        long paid = Math.max(paidUntil, nanos - SECOND) + events * nanosPerEvent;
        if (paid > nanos) {
            return Duration.ofNanos(paid - nanos).toMillis() + 1;
        }
        paidUntil = paid;
        return 0;
    }
}
