package io.fanfare.worker.handler;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Runs a few steps at a time, whichever batch they are of; the others wait in order. A page of followers keeps the
 * event loop busy for a millisecond or two when its answer arrives. Sixteen pages that run side by side do so one right
 * after the other, and small jobs wait behind all of them. One event loop.
 */
final class Turns {
    private final int atOnce;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean looping;

    Turns(int atOnce) {
        this.atOnce = atOnce;
    }

    /** Runs the step as soon as fewer than {@code atOnce} are under way; answers as it does. */
    <T> Future<T> run(Supplier<Future<T>> step) {
        Promise<T> promise = Promise.promise();
        waiting.add(() -> step.get().onComplete(promise).onComplete(end -> {
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
