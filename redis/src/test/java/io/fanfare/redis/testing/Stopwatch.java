package io.fanfare.redis.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How long something takes while the machine goes on: the time for which this process was not run at all is left out.
 * For promises in seconds, which a test machine that stands still for as long would seem to break.
 */
public final class Stopwatch {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    // Written by the metronome alone.
    private static volatile Beat last = new Beat(System.nanoTime(), 0);

    static {
        Thread metronome = new Thread(Stopwatch::beat, "metronome");
        metronome.setDaemon(true);
        metronome.start();
    }

    private final Beat begin = next();

    private Stopwatch() {}

    /** A moment, and how long this process has stood still before it. */
    private record Beat(long nanos, long stoodStill) {}

    public static Stopwatch start() {
        return new Stopwatch();
    }

    /** Since the start, to within a few hundredths of a second. */
    public Duration elapsed() {
        Beat end = next();
        return Duration.ofNanos(end.nanos - begin.nanos - (end.stoodStill - begin.stoodStill));
    }

    private static Beat next() {
        long now = System.nanoTime();
        Beat beat = last;
        while (beat.nanos - now < 0) {
            LockSupport.parkNanos(TICK_NANOS);
            beat = last;
        }
        return beat;
    }

    private static void beat() {
        while (true) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            long late = Math.max(0, now - last.nanos - 2 * TICK_NANOS);
            last = new Beat(now, last.stoodStill + late);
        }
    }
}
