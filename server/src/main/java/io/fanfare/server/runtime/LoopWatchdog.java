package io.fanfare.server.runtime;

import io.fanfare.failure.Reason;
import io.fanfare.vertx.VertxInternals;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends a process when one of its event loops hangs after the process was ready; a start has a {@link StartDeadline}.
 * Requests, streams and jobs on that loop would never end, and their connections would stay open. A thread of its own
 * probes each loop every few seconds. When one has not answered for {@code management.hang-max}, the stacks of all
 * threads go to standard error, and the process halts. Its supervisor starts it again.
 *
 * <p>Time is counted in looks of that thread: a process that was stopped or suspended, or a machine that stood still,
 * has looked once at most meanwhile.
 */
final class LoopWatchdog implements AutoCloseable {
    /** Another one than of a full memory. */
    static final int STATUS = 4;

    /**
     * Between two looks, when a loop may hang for {@link #LOOKS} times as long; seldom, since each wakes every loop.
     */
    private static final Duration PERIOD_MAX = Duration.ofSeconds(5);

    private static final Duration PERIOD_MIN = Duration.ofSeconds(1);
    private static final int LOOKS = 12;

    private final List<Watched> loops;
    private final long looksMax;
    private final ScheduledExecutorService thread;

    /** Receives the name of the thread that hangs. */
    private final Consumer<String> hung;

    private LoopWatchdog(
            List<EventExecutor> loops, long looksMax, ScheduledExecutorService thread, Consumer<String> hung) {
        this.loops = loops.stream().map(Watched::new).toList();
        this.looksMax = looksMax;
        this.thread = thread;
        this.hung = hung;
    }

    /** One loop; the watchdog's thread alone asks it. */
    private static final class Watched {
        final EventExecutor loop;

        /** Written by the loop. */
        volatile boolean answered = true;

        /** The name of the loop's thread, once it has answered. */
        volatile String name = "of an event loop";

        long silentLooks;

        Watched(EventExecutor loop) {
            this.loop = loop;
        }

        void ask() {
            answered = false;
            silentLooks = 0;
            try {
                loop.execute(() -> {
                    name = Thread.currentThread().getName();
                    answered = true;
                });
            } catch (RejectedExecutionException ended) {
                answered = true;
            }
        }
    }

    /** As {@link #start(Vertx, Duration)}. */
    interface Starter {
        LoopWatchdog start(Vertx vertx, Duration max);
    }

    /**
     * Watches all event loops until it is closed.
     *
     * @param max how long a loop may hang; zero = nothing is watched
     */
    static LoopWatchdog start(Vertx vertx, Duration max) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread watch = new Thread(task, "loop-watchdog");
            watch.setDaemon(true);
            return watch;
        });
        return start(vertx, max, thread, loop -> dumpAndHalt(loop, max, System.err));
    }

    /**
     * The same on a thread of the caller's, which is ended with it.
     *
     * @param hung receives the name of each thread that hangs, at each look
     */
    static LoopWatchdog start(Vertx vertx, Duration max, ScheduledExecutorService thread, Consumer<String> hung) {
        List<EventExecutor> loops = max.isZero() ? List.of() : VertxInternals.eventLoops(vertx);
        Duration period = period(max);
        LoopWatchdog watchdog = new LoopWatchdog(loops, Math.max(1, max.dividedBy(period)), thread, hung);
        if (!loops.isEmpty()) {
            watchdog.look();
            // Not at a fixed rate, which makes up for the looks that a process has missed while it was stopped.
            ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                    watchdog::look, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
        }
        return watchdog;
    }

    /** The pause between two looks, for a limit. */
    static Duration period(Duration max) {
        Duration period = max.dividedBy(LOOKS);
        boolean isShort = period.compareTo(PERIOD_MIN) < 0;
        return isShort ? PERIOD_MIN : period.compareTo(PERIOD_MAX) > 0 ? PERIOD_MAX : period;
    }

    private void look() {
        for (Watched watched : loops) {
            if (watched.answered) {
                watched.ask();
            } else if (++watched.silentLooks >= looksMax) {
                hung.accept(watched.name);
            }
        }
    }

    private static void dumpAndHalt(String loop, Duration max, PrintStream out) {
        try {
            out.println("fanfare: the thread " + loop + " has hung for " + max.toSeconds()
                    + " s (management.hang-max), ending with status " + STATUS + "; what all threads do:");
            ThreadDump.print(out);
        } catch (RuntimeException | OutOfMemoryError e) {
            out.println("fanfare: the rest cannot be written: " + Reason.of(e));
        } finally {
            out.flush();
            Runtime.getRuntime().halt(STATUS);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
