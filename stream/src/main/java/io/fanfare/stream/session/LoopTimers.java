package io.fanfare.stream.session;

import io.fanfare.stream.filter.Failures;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Time and timers of one event loop. A task that throws is counted as a failed turn and ends nothing else. Confined to
 * that event loop, except for {@link #nanos}.
 */
public final class LoopTimers {
    private static final long RETRY_MILLIS = 200;

    private final Vertx vertx;
    private final LongSupplier nanos;
    private final Failures failures;

    /** @param nanos elapsed time, for any thread */
    LoopTimers(Vertx vertx, LongSupplier nanos, Failures failures) {
        this.vertx = vertx;
        this.nanos = nanos;
        this.failures = failures;
    }

    /** Elapsed time. For any thread. */
    public long nanos() {
        return nanos.getAsLong();
    }

    /** Runs a task that must not end what comes behind it. */
    public void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.TURN, e);
        }
    }

    /** Runs a task after a while. */
    public void after(long millis, Runnable task) {
        vertx.setTimer(millis, over -> guarded(task));
    }

    /** Runs a task again after a pause: what it needs could not be read. */
    public void retry(Runnable task) {
        after(RETRY_MILLIS, task);
    }

    /**
     * Runs a task when the loop has looked at its sockets. A task that is handed to the loop at once does not wait for
     * that: the loop runs such tasks until none is left, for up to a second.
     */
    void nextTurn(Runnable task) {
        vertx.timer(1, TimeUnit.NANOSECONDS).onComplete(turn -> guarded(task));
    }
}
