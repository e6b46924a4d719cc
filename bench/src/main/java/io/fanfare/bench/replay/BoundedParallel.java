package io.fanfare.bench.replay;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Runs one asynchronous step for each of many items, a bounded number at once. Confined to the event loop that calls
 * it; the steps must not complete before they return (they go over a network), else a long list would overflow the
 * stack.
 */
final class BoundedParallel<T, R> {
    private final List<T> items;
    private final Function<T, Future<R>> step;
    private final Runnable onEach;
    private final Object[] results;
    private final Promise<List<R>> done = Promise.promise();

    private int next;
    private int finished;

    private BoundedParallel(List<T> items, Function<T, Future<R>> step, Runnable onEach) {
        this.items = items;
        this.step = step;
        this.onEach = onEach;
        this.results = new Object[items.size()];
    }

    /** The results in the order of the items; fails with the first failure, after which no further step begins. */
    static <T, R> Future<List<R>> each(List<T> items, int atOnce, Function<T, Future<R>> step) {
        return each(items, atOnce, step, () -> {});
    }

    /** The same, telling of every item that is done. */
    static <T, R> Future<List<R>> each(List<T> items, int atOnce, Function<T, Future<R>> step, Runnable onEach) {
        BoundedParallel<T, R> run = new BoundedParallel<>(items, step, onEach);
        if (items.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        for (int i = 0; i < Math.min(atOnce, items.size()); i++) {
            run.turn();
        }
        return run.done.future();
    }

    private void turn() {
        if (next == items.size() || done.future().isComplete()) {
            return;
        }
        int mine = next++;
        Future.succeededFuture(items.get(mine)).compose(step).onComplete(result -> keep(mine, result), done::tryFail);
    }

    @SuppressWarnings("unchecked") // Only results of the step, which are R, are put into the array.
    private void keep(int item, R result) {
        results[item] = result;
        finished++;
        onEach.run();
        if (finished == results.length) {
            done.tryComplete((List<R>) new ArrayList<>(Arrays.asList(results)));
        } else {
            turn();
        }
    }
}
