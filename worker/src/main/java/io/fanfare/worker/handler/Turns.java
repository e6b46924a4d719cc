package io.fanfare.worker.handler;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Runs a few steps at a time for all callers; the others wait in order. One event loop. */
public final class Turns {
    private final int atOnce;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean looping;

    /** @param atOnce how many steps are under way at most */
    public Turns(int atOnce) {
        this.atOnce = atOnce;
    }

    /** Runs the step as soon as fewer are under way; answers as it does, and fails when it throws. */
    public <T> Future<T> run(Supplier<Future<T>> step) {
        Promise<T> promise = Promise.promise();
        // What throws fails the future: a turn that is not given back would stop all that wait.
        waiting.add(() -> Future.succeededFuture()
                .compose(turn -> step.get())
                .onComplete(promise)
                .onComplete(end -> {
                    running--;
                    startNext();
                }));
        startNext();
        return promise.future();
    }

    /** A loop, since steps may end at once. */
    private void startNext() {
        if (looping) {
            return;
        }
        looping = true;
        while (running < atOnce && !waiting.isEmpty()) {
            running++;
            waiting.remove().run();
        }
        looping = false;
    }
}
