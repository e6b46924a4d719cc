package io.fanfare.worker;

import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.Turns;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs the jobs of a group that has failed one after the other: side by side they would ask Redis for as much as the
 * group did, sixty-four times over. One that hangs must not hold up its batch once per neighbour, so there is one
 * time-out for them all; a job without a turn within it is put off. One event loop.
 */
final class SerialRunner {
    private final LongSupplier nanos;
    private final long timeoutNanos;
    private final Outcome late;
    private final Turns turns = new Turns(1);
    private boolean begun;
    private long beganNanos;

    /** @param late what becomes of those that have no turn in time */
    SerialRunner(LongSupplier nanos, long timeoutMillis, Outcome late) {
        this.nanos = nanos;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.late = late;
    }

    /** Runs it when those before have ended; answers as it does. */
    Future<Outcome> add(Supplier<Future<Outcome>> run) {
        if (!begun) {
            begun = true;
            beganNanos = nanos.getAsLong();
        }
        return turns.run(() -> isInTime() ? run.get() : Future.succeededFuture(late));
    }

    private boolean isInTime() {
        return nanos.getAsLong() - beganNanos < timeoutNanos;
    }
}
