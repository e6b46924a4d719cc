package io.fanfare.worker;

import io.fanfare.common.queue.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs the jobs of a group that has failed one after the other: side by side they would ask Redis for as much as the
 * group did, sixty-four times over. One that hangs must not hold up its batch once per neighbour, so there is one
 * time-out for them all; whoever has no turn within it is put off. One event loop.
 */
final class SerialRunner {
    private final LongSupplier nanos;
    private final long timeoutNanos;
    private final Outcome late;
    private final Queue<Turn> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean looping;
    private boolean begun;
    private long beganNanos;

    private record Turn(Supplier<Future<Outcome>> run, Promise<Outcome> promise) {}

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
        Promise<Outcome> promise = Promise.promise();
        waiting.add(new Turn(run, promise));
        next();
        return promise.future();
    }

    /** A loop, since runs may end at once. */
    private void next() {
        if (looping) {
            return;
        }
        looping = true;
        while (!running && !waiting.isEmpty()) {
            start(waiting.remove());
        }
        looping = false;
    }

    private void start(Turn turn) {
        running = true;
        boolean inTime = nanos.getAsLong() - beganNanos < timeoutNanos;
        Future<Outcome> run = inTime ? turn.run().get() : Future.succeededFuture(late);
        run.onComplete(turn.promise()).onComplete(end -> {
            running = false;
            next();
        });
    }
}
