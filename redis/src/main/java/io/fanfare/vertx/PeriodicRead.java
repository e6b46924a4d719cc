package io.fanfare.vertx;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Repeats a read at a fixed interval ({@link Ticks}), so that an event loop knows a value without waiting for it. At
 * most one read of the timer runs at once; a failed one is repeated at the next interval. Confined to one event loop.
 */
public final class PeriodicRead {
    private final Supplier<Future<?>> read;
    private boolean running;

    /** @param read reports its failure itself, for example to the log */
    public PeriodicRead(Supplier<Future<?>> read) {
        this.read = read;
    }

    /**
     * Reads now and then at each interval, until the verticle is undeployed. Completes after the first read, and never
     * fails.
     */
    public Future<Void> start(Vertx vertx, Duration interval) {
        Ticks.every(vertx, interval.toMillis(), () -> {
            if (!running) {
                once().onComplete(done -> {});
            }
        });
        return once();
    }

    private Future<Void> once() {
        running = true;
        return read.get().transform(done -> {
            running = false;
            return Future.succeededFuture();
        });
    }
}
