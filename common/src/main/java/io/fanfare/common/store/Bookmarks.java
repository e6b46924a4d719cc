package io.fanfare.common.store;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;

/** Owns {@code bookmarks} keys: what accounts keep for later. Nobody else hears of it, so there is no far side. */
public class Bookmarks {
    private final NearSide nearSide;
    private final MarkedStatuses marked;

    public Bookmarks(Redis redis, Settings settings, Statuses statuses, Sights sights) {
        this.nearSide = new NearSide(redis, settings);
        this.marked = new MarkedStatuses(redis, statuses, sights);
    }

    /** Keeps a status, which the caller has made sure the account may see. Refuses more than {@code limits.favourites-max}. */
    public Future<Void> add(long account, long status) {
        return nearSide.mark(Keys.bookmarks(account), account, status, null).mapEmpty();
    }

    public Future<Void> remove(long account, long status) {
        return nearSide.unmark(Keys.bookmarks(account), account, status, null).mapEmpty();
    }

    /** Those that live and may be seen, the one kept last first; cursors are edge ids. */
    public Future<Page<Status>> page(long account, PageRequest page) {
        return marked.page(Keys.bookmarks(account), account, page);
    }
}
