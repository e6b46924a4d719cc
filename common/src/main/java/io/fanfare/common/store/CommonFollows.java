package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One page of the accounts that two accounts both follow. The follows of one are walked by edge id and looked up among
 * those of the other: two slots, no temporary key, and cursors that are exact because they belong to the one set that
 * is walked. One use per instance; one event loop.
 */
final class CommonFollows {
    /**
     * Most turns of one page, of two round trips each; one that needs more is handed out short, with the cursor to go
     * on from.
     */
    private static final int TURNS_MAX = 12;

    private static final int STRETCH_MAX = 500;

    private final Redis redis;
    private final String walked;
    private final String other;
    private final PageRequest page;
    private final boolean upward;
    private final Promise<Page<Edge>> answer = Promise.promise();
    private final List<Edge> found = new ArrayList<>();
    private long cursor;
    private int stretch;
    private int turns;

    /** @param walked whose follows give order and cursors; best who follows fewer */
    CommonFollows(Redis redis, long walked, long other, PageRequest page) {
        this.redis = redis;
        this.walked = Keys.following(walked);
        this.other = Keys.following(other);
        this.page = page;
        this.upward = page.minId() > 0;
        this.cursor = upward ? page.minId() : page.maxId();
        this.stretch = Math.min(4 * (page.limit() + 1), STRETCH_MAX);
    }

    Future<Page<Edge>> run() {
        turn();
        return answer.future();
    }

    private void turn() {
        turns++;
        Command next = upward
                ? Edges.upward(walked, cursor, page.maxId(), stretch)
                : Edges.downward(walked, cursor, page.floor(), stretch);
        redis.send(next).map(Edges::of).compose(this::look).onComplete(this::decide, answer::fail);
    }

    /** Keeps what the other follows too; whether there was as much to read as was asked for. */
    private Future<Boolean> look(List<Edge> edges) {
        if (edges.isEmpty()) {
            return Future.succeededFuture(false);
        }
        cursor = edges.get(edges.size() - 1).edgeId();
        Object[] accounts = edges.stream().map(Edge::accountId).toArray();
        return redis.send(Command.of("ZMSCORE", other, accounts)).map(scores -> {
            keep(edges, scores.items());
            return edges.size() == stretch;
        });
    }

    private void keep(List<Edge> edges, List<Reply> scores) {
        for (int i = 0; i < edges.size(); i++) {
            if (!scores.get(i).isNil()) {
                found.add(edges.get(i));
            }
        }
    }

    private void decide(boolean more) {
        // Downward, one more than asked for tells whether there is more.
        boolean full = found.size() >= (upward ? page.limit() : page.limit() + 1);
        if (full || !more) {
            answer.complete(Edges.page(items(), page, full && !upward));
        } else if (turns == TURNS_MAX) {
            answer.complete(shortPage());
        } else {
            stretch = Math.min(2 * stretch, STRETCH_MAX);
            turn();
        }
    }

    private List<Edge> items() {
        List<Edge> items = new ArrayList<>(found.subList(0, Math.min(found.size(), page.limit())));
        if (upward) {
            Collections.reverse(items);
        }
        return items;
    }

    /** Goes on from the last one scanned, whether it is in both sets or not. */
    private Page<Edge> shortPage() {
        Page<Edge> sofar = Edges.page(items(), page, true);
        return upward
                ? new Page<>(sofar.items(), sofar.next(), cursor)
                : new Page<>(sofar.items(), cursor, sofar.prev());
    }
}
