package io.fanfare.stream.session;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/** Calls from one event loop to another. Safe for every thread. */
public final class EventLoops {
    private EventLoops() {}

    /**
     * Runs a task on another event loop. The future completes on the caller's event loop, where the response belongs
     * that waits for it. A task that throws fails the future.
     */
    public static <T> Future<T> call(Vertx vertx, Context loop, Supplier<T> task) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        loop.runOnContext(turn -> {
            Future<T> outcome = Future.future(done -> done.complete(task.get()));
            caller.runOnContext(back -> outcome.onComplete(answer));
        });
        return answer.future();
    }
}
