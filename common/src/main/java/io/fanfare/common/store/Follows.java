package io.fanfare.common.store;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a follow and of an unfollow in their order (feeds.md, section 5), shared by the API, which answers after them, and by the worker's repair jobs, which run them
 * again. Each step is idempotent.
 */
public class Follows {
    private static final Logger LOG = LoggerFactory.getLogger(Follows.class);

    private final Graph graph;
    private final Homes homes;
    private final Statuses statuses;
    private final EventLog events;

    public Follows(Graph graph, Homes homes, Statuses statuses, EventLog events) {
        this.graph = graph;
        this.homes = homes;
        this.statuses = statuses;
        this.events = events;
    }

    /** All steps of a follow. Answers the edge. Refuses following oneself, an unknown account, more than {@code limits.following-max}, and when too many jobs wait. */
    public Future<Graph.Change> follow(long follower, long followee) {
        if (follower == followee) {
            return Future.failedFuture(new Refusal(Reason.INVALID, "You cannot follow yourself."));
        }
        return graph.isActive(followee)
                .compose(active -> active ? graph.follow(follower, followee) : Future.failedFuture(Refusal.unknown()))
                .compose(change -> settled(follower, followee, change));
    }

    /** An edge that was there already may be one whose caller lost the answer half-way: it is finished before it is confirmed. The event is not waited for. */
    private Future<Graph.Change> settled(long follower, long followee, Graph.Change change) {
        return settle(follower, followee, change.edge())
                .onSuccess(follows ->
                        leaveToJob(follows ? append(Views.followed(follower, followee, change.edge())) : nothing()))
                .map(change);
    }

    /** Step 1 of an unfollow; the rest is done without making the caller wait, and by the repair job. */
    public Future<Graph.Change> unfollow(long follower, long followee) {
        return graph.unfollow(follower, followee)
                .onSuccess(change ->
                        leaveToJob(change.changed() ? finishUnfollow(follower, followee, change.edge()) : nothing()));
    }

    /** Steps 2 to 4 of a follow, and its event. */
    public Future<Void> finishFollow(long follower, long followee, long edge) {
        return settle(follower, followee, edge)
                .compose(follows -> follows ? append(Views.followed(follower, followee, edge)) : nothing());
    }

    /** Steps 2 and 3 of an unfollow, and its event. */
    public Future<Void> finishUnfollow(long follower, long followee, long edge) {
        return graph.unlink(follower, followee, edge)
                .compose(done -> append(Views.unfollowed(follower, followee, edge)))
                .compose(done -> statuses.recent(followee))
                .compose(posts -> homes.clean(follower, followee, posts.ids()));
    }

    /**
     * Steps 2 to 4 of a follow; whether it still stands. The followers entry comes before the profile is read: a post is then either in the profile, or its fan-out finds the new
     * follower. The re-check undoes what an unfollow in between could not see.
     */
    Future<Boolean> settle(long follower, long followee, long edge) {
        return graph.link(follower, followee, edge)
                .compose(done -> graph.stillFollows(follower, followee, edge))
                .compose(follows -> follows
                        ? backfill(follower, followee, edge).map(true)
                        : graph.unlink(follower, followee, edge).map(false));
    }

    /** Step 4. */
    Future<Void> backfill(long follower, long followee, long edge) {
        return statuses.recent(followee)
                .compose(posts -> homes.backfill(follower, followee, edge, posts.ids(), posts.bound()));
    }

    Future<Void> append(Event event) {
        return events.append(event).mapEmpty();
    }

    private static Future<Void> nothing() {
        return Future.succeededFuture();
    }

    /** Nobody waits for this; if it fails, the job that the script has enqueued with the change does it. */
    private static void leaveToJob(Future<Void> rest) {
        rest.onFailure(cause -> LOG.debug("left to the job cause={}", cause.toString()));
    }
}
