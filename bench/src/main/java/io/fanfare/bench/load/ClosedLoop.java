package io.fanfare.bench.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** Keeps so many calls under way until the time is over. One event loop. */
public final class ClosedLoop {
    private final Promise<Long> done = Promise.promise();
    private final long endNanos;
    private final Supplier<? extends Future<?>> call;
    private int underWay;
    private long ended;

    private ClosedLoop(long endNanos, Supplier<? extends Future<?>> call) {
        this.endNanos = endNanos;
        this.call = call;
    }

    /** Answers how many calls have ended; fails with the first that fails. */
    public static Future<Long> run(long nanos, int underWay, Supplier<? extends Future<?>> call) {
        ClosedLoop loop = new ClosedLoop(System.nanoTime() + nanos, call);
        for (int i = 0; i < underWay; i++) {
            loop.next();
        }
        return loop.done.future();
    }

    private void next() {
        if (System.nanoTime() >= endNanos) {
            if (underWay == 0) {
                done.tryComplete(ended);
            }
            return;
        }
        underWay++;
        call.get()
                .onComplete(
                        answer -> {
                            underWay--;
                            ended++;
                            next();
                        },
                        done::tryFail);
    }
}
