package io.fanfare.api.post;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.favourite.SavedStatuses;
import io.fanfare.core.graph.ActorEdges;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;

/** Owns {@code bookmarks} keys: what accounts keep for later. Nobody else hears of it, so there is no far side. */
public class Bookmarks {
    private final ActorEdges actorEdges;
    private final SavedStatuses saved;

    public Bookmarks(Redis redis, Settings settings, Statuses statuses, ViewerRelationshipsReader viewerRelationships) {
        this.actorEdges = new ActorEdges(redis, settings);
        this.saved = new SavedStatuses(redis, statuses, viewerRelationships);
    }

    /**
     * Keeps a status, which the caller has made sure the account may see. Refuses more than
     * {@code limits.favourites-max}.
     */
    public Future<Void> add(long account, long status) {
        return actorEdges.mark(Keys.bookmarks(account), account, status, null).mapEmpty();
    }

    public Future<Void> remove(long account, long status) {
        return actorEdges.unmark(Keys.bookmarks(account), account, status, null).mapEmpty();
    }

    /** The bookmarked statuses that live and may be seen, the latest bookmark first; cursors are edge ids. */
    public Future<Page<Status>> page(long account, PageRequest page) {
        return saved.page(Keys.bookmarks(account), account, page);
    }
}
