package io.fanfare.common.store;

import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads sets of ids scored by edge id in pages: cursors are edge ids, so that they are exact whatever is added and
 * removed meanwhile.
 */
public final class Edges {
    private Edges() {}

    /** Newest edge first. */
    public static Future<Page<Edge>> page(Redis redis, String key, PageRequest page) {
        int limit = page.minId() > 0 ? page.limit() : page.limit() + 1; // One more tells whether there is more.
        Command command = page.minId() > 0
                ? upward(key, page.minId(), page.maxId(), limit)
                : downward(key, page.maxId(), page.floor(), limit);
        return redis.send(command).map(reply -> page(of(reply), page));
    }

    /** Reads the newest below {@code end}, both ends exclusive. */
    static Command downward(String key, long end, long floor, int limit) {
        return Command.of("ZRANGE", key, "(" + end, "(" + floor, "BYSCORE", "REV", "LIMIT", 0, limit, "WITHSCORES");
    }

    /** Reads the oldest above {@code floor}, both ends exclusive; oldest first. */
    public static Command upward(String key, long floor, long end, int limit) {
        return Command.of("ZRANGE", key, "(" + floor, "(" + end, "BYSCORE", "LIMIT", 0, limit, "WITHSCORES");
    }

    private static Page<Edge> page(List<Edge> edges, PageRequest page) {
        if (page.minId() > 0) {
            Collections.reverse(edges);
        }
        boolean more = edges.size() > page.limit();
        return page(edges.subList(0, Math.min(edges.size(), page.limit())), page, more);
    }

    /** The page of these. Below a lower end that was asked for, older ones are to be expected. */
    static Page<Edge> page(List<Edge> items, PageRequest page, boolean more) {
        long prev = items.isEmpty() ? 0 : items.get(0).edgeId();
        if (!more && page.floor() == 0) {
            return new Page<>(items, 0, prev);
        }
        long next =
                items.isEmpty() ? page.floor() + 1 : items.get(items.size() - 1).edgeId();
        return new Page<>(items, next, prev);
    }

    /** Reads the reply of a range WITHSCORES. */
    public static List<Edge> of(Reply reply) {
        List<Reply> pairs = reply.flat();
        List<Edge> edges = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            edges.add(new Edge(pairs.get(i).asLong(), pairs.get(i + 1).asLong()));
        }
        return edges;
    }
}
