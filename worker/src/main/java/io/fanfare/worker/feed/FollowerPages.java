package io.fanfare.worker.feed;

import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks over an author's followers, a page per job, by edge id: a strict cursor, so that no follower is met twice and
 * equal times cannot stop it. Who follows while the walk is under way comes last and is met too; the follow's own
 * backfill has served them by then.
 */
public final class FollowerPages {
    private final Graph graph;
    private final Accounts accounts;
    private final int size;

    /** @param size followers per page, {@code feeds.fan-out-page} */
    public FollowerPages(Graph graph, Accounts accounts, int size) {
        this.graph = graph;
        this.accounts = accounts;
        this.size = size;
    }

    /** The page after this cursor (exclusive; 0 = the first). */
    Future<List<Edge>> after(long author, long cursor) {
        return graph.followersAfter(author, cursor, size);
    }

    /** The page with these ends: what is left of it by now. */
    Future<List<Edge>> between(long author, long cursor, long last) {
        return last == cursor ? Future.succeededFuture(List.of()) : graph.followersBetween(author, cursor, last);
    }

    /** The last edge ids of the next whole pages after this cursor, of at most {@code count}. */
    Future<List<Long>> ends(long author, long cursor, int count) {
        return graph.followerPages(author, cursor, size, count);
    }

    /** Whether the walk ends with this page. A full one may be the last as well; then an empty one follows. */
    boolean isLast(List<Edge> page) {
        return page.size() < size;
    }

    /** In which lane the further pages of these authors wait. */
    Future<Map<Long, Lane>> lanes(Collection<Long> authors) {
        if (authors.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return accounts.load(authors).map(known -> lanes(authors, known));
    }

    private static Map<Long, Lane> lanes(Collection<Long> authors, Map<Long, Account> known) {
        Map<Long, Lane> lanes = new HashMap<>();
        for (long author : authors) {
            Account account = known.get(author);
            lanes.put(author, account != null && account.followersCount() > Lane.NORMAL_MAX ? Lane.LOW : Lane.NORMAL);
        }
        return lanes;
    }
}
