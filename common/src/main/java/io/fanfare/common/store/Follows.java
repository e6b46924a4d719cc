package io.fanfare.common.store;

import io.fanfare.common.event.EventLog;
import io.vertx.core.Future;

/**
 * The steps of a follow and of an unfollow in their order (feeds.md, section 5), shared by the API, which answers after them, and by the worker's repair jobs, which run them
 * again. Each step is idempotent.
 */
public final class Follows {
    public Follows(Graph graph, Homes homes, Statuses statuses, EventLog events) {
        throw new UnsupportedOperationException();
    }

    /** All steps of a follow. Answers the edge. Refuses following oneself, an unknown account, more than {@code limits.following-max}. */
    public Future<Graph.Change> follow(long follower, long followee) {
        throw new UnsupportedOperationException();
    }

    /** Step 1 of an unfollow; the rest is done without making the caller wait, and by the repair job. */
    public Future<Graph.Change> unfollow(long follower, long followee) {
        throw new UnsupportedOperationException();
    }

    /** Steps 2 to 4 of a follow, and its event. */
    public Future<Void> finishFollow(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }

    /** Steps 2 and 3 of an unfollow, and its event. */
    public Future<Void> finishUnfollow(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }
}
