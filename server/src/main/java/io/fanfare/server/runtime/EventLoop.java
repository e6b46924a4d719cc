package io.fanfare.server.runtime;

import io.fanfare.failure.Reason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * One event loop for a command whose main thread goes through its steps one after the other: each step runs on the
 * loop, and the thread waits for it. What a step has left may be read by the thread once the step is done. Not to be
 * used on an event loop.
 */
public final class EventLoop implements AutoCloseable {
    private static final long CLOSE_MAX_SECONDS = 10;

    private final Vertx vertx;
    private final Context context;

    public EventLoop() {
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        context = vertx.getOrCreateContext();
    }

    /** A step failed; the message is the cause's. */
    public static final class StepFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StepFailed(Throwable cause) {
            super(Reason.of(cause), cause);
        }
    }

    public Vertx vertx() {
        return vertx;
    }

    /** Runs one step on the loop and waits for its result; throws {@link StepFailed}. */
    public <T> T await(Supplier<Future<T>> step) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(
                v -> Future.succeededFuture().compose(nothing -> step.get()).onComplete(promise));
        try {
            return promise.future().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new StepFailed(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StepFailed(e);
        }
    }

    /** Runs one step on the loop and waits for its end; throws {@link StepFailed}. */
    public void run(Supplier<? extends Future<?>> step) {
        boolean done = await(() -> step.get().map(true));
        assert done;
    }

    /** Runs something on the loop and waits for its result. */
    public <T> T call(Supplier<T> step) {
        return await(() -> Future.succeededFuture(step.get()));
    }

    /** Runs something on the loop and does not wait for it. */
    public void later(Runnable step) {
        context.runOnContext(turn -> step.run());
    }

    /** Looks again and again until the condition holds; false when it did not in time. */
    public boolean await(Supplier<Future<Boolean>> condition, long atMostNanos, long everyMillis) {
        long until = System.nanoTime() + atMostNanos;
        while (!await(condition)) {
            if (System.nanoTime() > until) {
                return false;
            }
            run(() -> vertx.timer(everyMillis, TimeUnit.MILLISECONDS));
        }
        return true;
    }

    /** Closes Vert.x with everything on it; gives up after 10 s, since the process is about to end. */
    @Override
    public void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            System.err.println("not closed cleanly: " + Reason.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
