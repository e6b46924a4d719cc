package io.fanfare.vertx;

import io.netty.util.concurrent.Ticker;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;

/**
 * The context of one event loop. Its promises complete on that loop, and it runs tasks without the queue between turns
 * that {@link io.vertx.core.Context#runOnContext} has. Methods may be called from any thread unless they say otherwise.
 */
public final class LoopContext {
    private final ContextInternal context;

    private LoopContext(ContextInternal context) {
        this.context = context;
    }

    /** The caller's context, or a new one where the caller is not on an event loop. */
    public static LoopContext current(Vertx vertx) {
        ContextInternal current = ((ContextInternal) vertx.getOrCreateContext()).unwrap();
        return new LoopContext(
                current.isEventLoopContext() ? current : ((VertxInternal) vertx).createEventLoopContext());
    }

    public Vertx vertx() {
        return context.owner();
    }

    /** The clock of the loop's timers. */
    public Ticker ticker() {
        return context.nettyEventLoop().ticker();
    }

    /** Whether the calling thread is that of the loop. */
    public boolean inThread() {
        return context.inThread();
    }

    /** A promise whose future completes on this context. */
    public <T> Promise<T> promise() {
        return context.promise();
    }

    /** A future of this context that {@code task} completes. */
    public <T> Future<T> future(Handler<Promise<T>> task) {
        return context.future(task);
    }

    public <T> Future<T> succeeded(T result) {
        return context.succeededFuture(result);
    }

    /**
     * The end of {@code task}, or a {@link java.util.concurrent.TimeoutException} when it does not come within so many
     * milliseconds; on this context in both cases. {@link Future#timeout} of a composite future, which has no context,
     * fails on a thread that belongs to no event loop.
     */
    public <T> Future<T> within(long millis, Future<T> task) {
        Promise<T> end = context.promise();
        task.onComplete(end::tryComplete, end::tryFail);
        return end.future().timeout(millis, TimeUnit.MILLISECONDS);
    }

    /** Runs a task in a later turn of this context. */
    public void runLater(Runnable task) {
        context.runOnContext(turn -> task.run());
    }

    /**
     * Runs a step in a later turn of this context, behind what the loop has to do already. Fails with what it throws.
     */
    public Future<Void> inLaterTurn(Runnable step) {
        Promise<Void> begun = context.promise();
        context.runOnContext(turn -> begun.complete());
        return begun.future().map(turn -> {
            step.run();
            return null;
        });
    }

    /** Runs a task behind those that the loop has already, without making this context the current one. */
    public void execute(Runnable task) {
        context.nettyEventLoop().execute(task);
    }

    /** Runs a task now, with this context as the current one. What it throws is reported, not thrown. For the loop. */
    public void dispatch(Runnable task) {
        context.dispatch(task);
    }

    /** Runs a task once, after so many milliseconds, 1 at the least. Returns the id for {@link #cancel}. */
    public long after(long millis, Runnable task) {
        return context.setTimer(millis, id -> task.run());
    }

    public void cancel(long timer) {
        var unused = context.owner().cancelTimer(timer);
    }
}
