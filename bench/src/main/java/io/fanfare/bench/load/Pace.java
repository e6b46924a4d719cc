package io.fanfare.bench.load;

import java.util.concurrent.locks.LockSupport;

/** Open loop: things are due at a fixed rate, however long what was due before takes. */
public final class Pace {
    private Pace() {}

    /** The step taken at each moment. */
    public interface Step {
        /**
         * Does it.
         *
         * @param dueNanos {@link System#nanoTime} at which it was due
         */
        void run(long number, long dueNanos);
    }

    /** Runs that many steps on this thread, each when it is due or as soon afterwards as can be. */
    public static void run(long steps, double perSecond, Step step) {
        long begin = System.nanoTime();
        for (long i = 0; i < steps; i++) {
            long due = begin + (long) (i / perSecond * 1e9);
            for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
                LockSupport.parkNanos(due - now);
            }
            step.run(i, due);
        }
    }
}
