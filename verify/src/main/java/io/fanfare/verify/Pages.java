package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Edge;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Edges;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Loops over what is too long for memory: one part at a time, each on a turn of the event loop of its own. */
final class Pages {
    /** Members of a set in one page: what one pipeline asks about at once. */
    private static final int SIZE = 500;

    private final Redis redis;
    private final Supplier<Future<Boolean>> step;
    private final Promise<Void> done = Promise.promise();

    private Pages(Redis redis, Supplier<Future<Boolean>> step) {
        this.redis = redis;
        this.step = step;
    }

    /** Repeats a step until it answers false; fails as soon as one fails. */
    static Future<Void> whileTrue(Redis redis, Supplier<Future<Boolean>> step) {
        Pages loop = new Pages(redis, step);
        loop.turn();
        return loop.done.future();
    }

    private void turn() {
        Future.succeededFuture().compose(begin -> step.get()).onComplete(this::turned, done::fail);
    }

    private void turned(boolean more) {
        if (more) {
            redis.afterTurn(this::turn);
        } else {
            done.complete();
        }
    }

    /** Every item in order, one after the other. */
    static <T> Future<Void> each(Redis redis, List<T> items, Function<T, Future<Void>> step) {
        int[] next = {0};
        return whileTrue(
                redis,
                () -> next[0] == items.size()
                        ? Future.succeededFuture(false)
                        : step.apply(items.get(next[0]++)).map(true));
    }

    /**
     * Asks the same questions about each edge of a set, a page at a time in one pipeline, and hands every edge on with
     * its answers. Fails with the first question that Redis refuses.
     */
    static Future<Void> ask(
            Redis redis, String key, Function<Edge, List<Command>> questions, BiConsumer<Edge, List<Reply>> judge) {
        return ofSet(redis, key, page -> {
            List<Command> commands = new ArrayList<>();
            page.forEach(edge -> commands.addAll(questions.apply(edge)));
            int each = commands.size() / page.size();
            return BatchedPipeline.send(redis, commands).map(replies -> {
                for (int i = 0; i < page.size(); i++) {
                    judge.accept(page.get(i), replies.subList(each * i, each * (i + 1)));
                }
                return null;
            });
        });
    }

    /** A sorted set of ids by edge id, page by page, lowest score first. */
    static Future<Void> ofSet(Redis redis, String key, Function<List<Edge>, Future<Void>> step) {
        long[] cursor = {-1};
        return whileTrue(redis, () -> redis.send(Edges.upward(key, cursor[0], Id.MAX, SIZE))
                .map(Edges::of)
                .compose(page -> {
                    if (page.isEmpty()) {
                        return Future.succeededFuture(false);
                    }
                    cursor[0] = page.get(page.size() - 1).edgeId();
                    return step.apply(page).map(page.size() == SIZE);
                }));
    }
}
