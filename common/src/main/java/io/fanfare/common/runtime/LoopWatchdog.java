package io.fanfare.common.runtime;

import io.fanfare.common.vertx.VertxInternals;
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

/**
 * Ends a process of which an event loop hangs: what runs on it never ends, so its requests, streams and jobs never do
 * either, while the connections stay. A thread of its own asks each loop once a second. When one has not answered for
 * {@code management.hang-max}, the stacks of all threads go to standard error, and the process halts. Whoever
 * supervises it starts it again.
 *
 * <p>Time is counted in looks of that thread: a process that was stopped or suspended, or a machine that stood still,
 * has looked once at most meanwhile.
 */
final class LoopWatchdog implements AutoCloseable {
    /** Another one than of a full memory. */
    static final int STATUS = 4;

    static final Duration PERIOD = Duration.ofSeconds(1);

    private final List<Watched> loops;
    private final long looksMax;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread watch = new Thread(task, "loop-watchdog");
        watch.setDaemon(true);
        return watch;
    });

    private LoopWatchdog(List<EventExecutor> loops, long looksMax) {
        this.loops = loops.stream().map(Watched::new).toList();
        this.looksMax = looksMax;
    }

    /** One loop; the watchdog's thread alone asks it. */
    private static final class Watched {
        final EventExecutor loop;

        /** Written by the loop. */
        volatile boolean answered = true;

        /** As the loop has said. */
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

    /**
     * Watches all event loops until it is closed.
     *
     * @param max how long a loop may hang; zero = nothing is watched
     */
    static LoopWatchdog start(Vertx vertx, Duration max) {
        List<EventExecutor> loops = max.isZero() ? List.of() : VertxInternals.eventLoops(vertx);
        LoopWatchdog watchdog = new LoopWatchdog(loops, Math.max(1, max.dividedBy(PERIOD)));
        if (!loops.isEmpty()) {
            watchdog.look();
            ScheduledFuture<?> unused = watchdog.thread.scheduleWithFixedDelay(
                    watchdog::look, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
        return watchdog;
    }

    private void look() {
        for (Watched watched : loops) {
            if (watched.answered) {
                watched.ask();
            } else if (++watched.silentLooks >= looksMax) {
                dumpAndHalt(watched.name, System.err);
            }
        }
    }

    private void dumpAndHalt(String loop, PrintStream out) {
        try {
            out.println("fanfare: the thread " + loop + " has hung for " + looksMax * PERIOD.toSeconds()
                    + " s (management.hang-max), ending with status " + STATUS + "; what all threads do:");
            ThreadDump.print(out);
        } catch (RuntimeException | OutOfMemoryError e) {
            out.println("fanfare: the rest cannot be told: " + e);
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
