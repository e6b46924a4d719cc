package io.fanfare.common.store;

import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads the ZSETs of members by edge id, near sides and far sides alike. */
final class Edges {
    private Edges() {}

    /** One page, newest edge first; cursors are edge ids. One round trip. */
    static Future<Page<Edge>> page(Redis redis, String key, PageRequest page) {
        String newest = "(" + page.maxId();
        String floor = "(" + page.floor();
        int limit = page.limit() + 1; // One more tells whether there is more.
        Command command = page.minId() > 0
                ? Command.of("ZRANGE", key, floor, newest, "BYSCORE", "LIMIT", 0, page.limit(), "WITHSCORES")
                : Command.of("ZRANGE", key, newest, floor, "BYSCORE", "REV", "LIMIT", 0, limit, "WITHSCORES");
        return redis.send(command).map(reply -> page(of(reply), page));
    }

    private static Page<Edge> page(List<Edge> edges, PageRequest page) {
        if (page.minId() > 0) {
            Collections.reverse(edges);
        }
        List<Edge> items = edges.subList(0, Math.min(edges.size(), page.limit()));
        boolean more = edges.size() > page.limit();
        long prev = items.isEmpty() ? 0 : items.get(0).edgeId();
        if (!more && page.floor() == 0) {
            return new Page<>(items, 0, prev);
        }
        // Below a lower end that was asked for, older ones are to be expected.
        return new Page<>(
                items,
                items.isEmpty() ? page.floor() + 1 : items.get(items.size() - 1).edgeId(),
                prev);
    }

    /** The answer to a ZRANGE with scores. */
    static List<Edge> of(Reply reply) {
        List<Long> pairs = Statuses.longs(reply);
        List<Edge> edges = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            edges.add(new Edge(pairs.get(i), pairs.get(i + 1)));
        }
        return edges;
    }
}
