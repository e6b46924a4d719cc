package io.fanfare.stream.session;

import io.fanfare.common.settings.Settings;

/**
 * Whether a stream's reader still reads. Two rules give one up, each over a whole window, so that neither a burst nor a
 * pause ends a stream: its socket has taken nothing for {@code stream.dead-after} although something waits; or it is so
 * far behind that it is read for from Redis, and takes less than {@code stream.slow-bytes} a second. A reader that has
 * taken everything is never slow, however little that was. Confined to one event loop.
 */
public final class SlowReaderDetector {
    public enum Verdict {
        READS,
        TOO_SLOW,
        DEAD
    }

    private final long deadAfterNanos;
    private final long windowNanos;
    private final long windowBytesMin;

    private long movedAtNanos;
    private long movedAt;
    private long windowBegan;
    private long windowTaken;

    /** @param taken bytes that its socket has taken so far */
    public SlowReaderDetector(Settings.Stream settings, long nanos, long taken) {
        deadAfterNanos = settings.deadAfter().toNanos();
        windowNanos = settings.slowWindow().toNanos();
        windowBytesMin = settings.slowBytes() * settings.slowWindow().toMillis() / 1000;
        movedAtNanos = nanos;
        movedAt = taken;
        windowBegan = nanos;
        windowTaken = taken;
    }

    /**
     * Must be called now and then.
     *
     * @param taken bytes that the socket has taken since the beginning
     * @param waiting bytes that it was given besides
     * @param farBehind whether the next event has left the memory of this process
     */
    public Verdict judge(long nanos, long taken, long waiting, boolean farBehind) {
        if (waiting == 0 || taken != movedAt) {
            movedAt = taken;
            movedAtNanos = nanos;
        }
        if (nanos - movedAtNanos >= deadAfterNanos) {
            return Verdict.DEAD;
        }
        boolean slow = false;
        boolean over = nanos - windowBegan >= windowNanos;
        if (waiting > 0 && farBehind) {
            slow = over && taken - windowTaken < windowBytesMin;
        }
        if (over || waiting == 0 || !farBehind) {
            windowBegan = nanos;
            windowTaken = taken;
        }
        return slow ? Verdict.TOO_SLOW : Verdict.READS;
    }
}
