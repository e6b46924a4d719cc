package io.fanfare.common.store;

import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Relation;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Owns {@code following} and {@code followers} keys and the steps of feeds.md, section 5. A follow is: {@link #follow} (follower's side, with its repair job), {@link #link}
 * (followee's side), {@link #stillFollows} (re-check, else {@link #unlink}), then the backfill of the home. The repair job does the same steps again.
 */
public final class Graph {
    public Graph(Redis redis, Settings settings) {
        throw new UnsupportedOperationException();
    }

    /** What a change of an edge did: {@code changed} is false when it was so already; {@code edge} is the (former) edge's id, 0 when there never was one. */
    public record Change(long edge, boolean changed) {}

    public Future<Change> follow(long follower, long followee) {
        throw new UnsupportedOperationException();
    }

    public Future<Change> unfollow(long follower, long followee) {
        throw new UnsupportedOperationException();
    }

    /** The followee's side; keeps the greater edge id. */
    public Future<Void> link(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }

    /** Takes the followee's side back if it is still this edge. */
    public Future<Void> unlink(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }

    public Future<Boolean> stillFollows(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }

    /** Many follows at once, both sides, without jobs, events and backfill: for replays that fill an empty server. */
    public Future<Void> followAll(List<long[]> followerFolloweePairs) {
        throw new UnsupportedOperationException();
    }

    /** Followers by edge id, ascending, after {@code cursor} (exclusive). */
    public Future<List<Edge>> followersAfter(long author, long cursor, int limit) {
        throw new UnsupportedOperationException();
    }

    /** Newest follow first; cursors are edge ids. */
    public Future<Page<Edge>> followers(long account, PageRequest page) {
        throw new UnsupportedOperationException();
    }

    public Future<Page<Edge>> following(long account, PageRequest page) {
        throw new UnsupportedOperationException();
    }

    /** Everybody the account follows. */
    public Future<List<Long>> followingOf(long account) {
        throw new UnsupportedOperationException();
    }

    /** How the viewer stands to each of these; one round trip. */
    public Future<Map<Long, Relation>> relations(long viewer, Collection<Long> accounts) {
        throw new UnsupportedOperationException();
    }
}
