package io.fanfare.stream.session;

/**
 * The pause between two passes over the streams. A pass that takes long begins again only when some times its length
 * have gone by since it began: events that arrive meanwhile go out in one write for each stream. Short passes follow
 * each other at once. Confined to one event loop.
 */
final class PassPacer {
    /** From the beginning of a pass to that of the next, in lengths of the pass. */
    private static final long TICKS_PER_PASS = 6;

    /** The same in nanoseconds, at most. */
    private static final long TICK_NANOS_MAX = 8_000_000;

    private boolean passing;
    private long beganNanos;
    private long restUntilNanos;

    /** A turn begins: the first one since {@link #end} begins a pass. */
    void turn(long nanos) {
        if (!passing) {
            passing = true;
            beganNanos = nanos;
        }
    }

    /** All streams have had their turn. */
    void end(long nanos) {
        passing = false;
        restUntilNanos = beganNanos + Math.min(TICK_NANOS_MAX, TICKS_PER_PASS * (nanos - beganNanos));
    }

    /** Nanoseconds until the next pass may begin; 0 or less = now. */
    long left(long nanos) {
        return restUntilNanos - nanos;
    }
}
