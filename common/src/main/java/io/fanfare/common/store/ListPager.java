package io.fanfare.common.store;

import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One page of a LIST of accounts to whose end accounts are added and from which none is taken. Cursors are the numbers
 * of its entries, which stay: the first is 2, since {@link PageRequest#BOTTOM} is below all.
 */
final class ListPager {
    private static final int FIRST = 2;

    private ListPager() {}

    /**
     * The last added first; one round trip.
     *
     * @param length of the list, as it was lately
     */
    static Future<Page<Edge>> page(Redis redis, String key, long length, PageRequest page) {
        long last = length + FIRST - 1;
        boolean up = page.minId() > 0;
        long newest = Math.min(last, page.maxId() - 1);
        long oldest = Math.max(FIRST, page.floor() + 1);
        long from = up ? oldest : Math.max(oldest, newest - page.limit() + 1);
        long to = up ? Math.min(newest, oldest + page.limit() - 1) : newest;
        if (from > to) {
            return Future.succeededFuture(page(page, List.of(), oldest));
        }
        return redis.send(Command.of("LRANGE", key, from - FIRST, to - FIRST)).map(reply -> {
            List<Edge> edges = new ArrayList<>();
            for (long account : Statuses.longs(reply)) {
                edges.add(new Edge(account, from + edges.size()));
            }
            Collections.reverse(edges);
            return page(page, edges, oldest);
        });
    }

    /** @param oldest of what was asked for */
    private static Page<Edge> page(PageRequest request, List<Edge> edges, long oldest) {
        long prev = edges.isEmpty() ? 0 : edges.get(0).edgeId();
        if (request.minId() > 0) {
            return new Page<>(edges, request.minId() + 1, prev);
        }
        long lowest = edges.isEmpty() ? oldest : edges.get(edges.size() - 1).edgeId();
        // Below a lower end that was asked for, older ones are to be expected.
        long below = request.floor() == 0 ? 0 : request.floor() + 1;
        return new Page<>(edges, lowest > oldest ? lowest : below, prev);
    }
}
