package io.fanfare.core.graph;

import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.UserFilters.Changed;
import io.fanfare.common.store.UserFilters.FilterChange;
import io.fanfare.common.store.UserFilters.Kind;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of filters, each with the event by which open streams read the filters anew: terms of an account with itself.
 * The script that makes the change enqueues the job that appends the event again.
 */
public final class Filters {
    private static final Logger LOG = LoggerFactory.getLogger(Filters.class);

    private final UserFilters filters;
    private final Follows follows;

    public Filters(UserFilters filters, Follows follows) {
        this.filters = filters;
        this.follows = follows;
    }

    /** See {@link UserFilters#create}. */
    public Future<Changed> create(long owner, FilterChange wanted) {
        return announced(owner, filters.create(owner, wanted));
    }

    /** See {@link UserFilters#change}. */
    public Future<Changed> change(long owner, long id, Kind kind, FilterChange wanted) {
        return announced(owner, filters.change(owner, id, kind, wanted));
    }

    /** See {@link UserFilters#addStatus}. */
    public Future<Changed> addStatus(long owner, long filter, long status) {
        return announced(owner, filters.addStatus(owner, filter, status));
    }

    /** See {@link UserFilters#remove}. */
    public Future<Void> remove(long owner, long id, Kind kind) {
        return filters.remove(owner, id, kind)
                .onSuccess(change -> announce(owner, change))
                .mapEmpty();
    }

    private Future<Changed> announced(long owner, Future<Changed> change) {
        return change.onSuccess(done -> announce(owner, done.change()));
    }

    private void announce(long owner, long change) {
        if (change != 0) {
            follows.finishTerms(owner, owner, change)
                    .onFailure(cause -> LOG.debug("left to the job cause={}", cause.toString()));
        }
    }
}
