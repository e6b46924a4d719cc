package io.fanfare.core.graph;

import io.fanfare.common.model.UserList;
import io.fanfare.common.store.UserLists;
import io.vertx.core.Future;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of lists, each with the event by which open streams read the list anew: terms of an account with itself. The
 * script that makes the change enqueues the job that appends the event again.
 */
public final class Lists {
    private static final Logger LOG = LoggerFactory.getLogger(Lists.class);

    private final UserLists lists;
    private final Follows follows;

    public Lists(UserLists lists, Follows follows) {
        this.lists = lists;
        this.follows = follows;
    }

    /** See {@link UserLists#create}. */
    public Future<UserList> create(long owner, String title, UserList.Replies replies, boolean exclusive) {
        return lists.create(owner, title, replies, exclusive);
    }

    /** See {@link UserLists#change}. */
    public Future<UserList> change(long owner, long id, String title, UserList.Replies replies, Boolean exclusive) {
        return lists.change(owner, id, title, replies, exclusive)
                .onSuccess(done -> announce(owner, done.change()))
                .map(UserLists.Change::list);
    }

    /** See {@link UserLists#add}. */
    public Future<Void> add(long owner, long id, Collection<Long> accounts) {
        return announced(owner, lists.add(owner, id, accounts));
    }

    /** See {@link UserLists#remove}. */
    public Future<Void> remove(long owner, long id, Collection<Long> accounts) {
        return announced(owner, lists.remove(owner, id, accounts));
    }

    /** See {@link UserLists#delete}. */
    public Future<Void> delete(long owner, long id) {
        return announced(owner, lists.delete(owner, id));
    }

    private Future<Void> announced(long owner, Future<Long> change) {
        return change.onSuccess(id -> announce(owner, id)).mapEmpty();
    }

    private void announce(long owner, long change) {
        if (change != 0) {
            follows.finishTerms(owner, owner, change)
                    .onFailure(cause -> LOG.debug("left to the job cause={}", cause.toString()));
        }
    }
}
