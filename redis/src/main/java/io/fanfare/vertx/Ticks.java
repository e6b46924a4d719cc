package io.fanfare.vertx;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Repeated and single timers that come due together: each at a multiple of its interval, counted from one moment of the
 * process. An idle event loop then wakes up once a second for all of them instead of once for each, and their commands
 * reach Redis in one message. That moment differs between processes, so that these do not ask Redis at the same time.
 */
public final class Ticks {
    private static final long ORIGIN = System.nanoTime();

    private Ticks() {}

    /** Runs a task at each multiple of the interval, on the caller's context, until its verticle is undeployed. */
    @CanIgnoreReturnValue
    public static long every(Vertx vertx, long intervalMillis, Runnable task) {
        return vertx.setPeriodic(untilNext(intervalMillis), intervalMillis, tick -> task.run());
    }

    /**
     * Runs a task once, at the next multiple of the interval. A task that sets itself again so at its end runs once in
     * an interval at most, and pauses for an interval at most.
     */
    @CanIgnoreReturnValue
    public static long next(Vertx vertx, long intervalMillis, Runnable task) {
        return vertx.setTimer(untilNext(intervalMillis), tick -> task.run());
    }

    private static long untilNext(long intervalMillis) {
        return untilNext(System.nanoTime() - ORIGIN, intervalMillis);
    }

    /** Milliseconds, 1 at least, from a moment in nanoseconds to the next multiple of the interval. */
    static long untilNext(long nanos, long intervalMillis) {
        // Rounded, since a timer that is set when another comes due is a few microseconds behind it.
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos + TimeUnit.MILLISECONDS.toNanos(1) / 2);
        return intervalMillis - Math.floorMod(millis, intervalMillis);
    }
}
