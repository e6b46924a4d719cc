package io.fanfare.core.graph;

import io.fanfare.common.store.FollowedTags;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows of hashtags, each with the event by which open streams read them anew: terms of an account with itself. The
 * script that makes the change enqueues the job that appends the event again.
 */
public final class TagFollows {
    private static final Logger LOG = LoggerFactory.getLogger(TagFollows.class);

    private final FollowedTags tags;
    private final Follows follows;

    public TagFollows(FollowedTags tags, Follows follows) {
        this.tags = tags;
        this.follows = follows;
    }

    /** See {@link FollowedTags#follow}. */
    public Future<Void> follow(long account, String tag) {
        return announced(account, tags.follow(account, tag));
    }

    /** See {@link FollowedTags#unfollow}. */
    public Future<Void> unfollow(long account, String tag) {
        return announced(account, tags.unfollow(account, tag));
    }

    private Future<Void> announced(long account, Future<Long> change) {
        return change.onSuccess(id -> {
                    if (id != 0) {
                        follows.finishTerms(account, account, id)
                                .onFailure(cause -> LOG.debug("left to the job cause={}", cause.toString()));
                    }
                })
                .mapEmpty();
    }
}
