package io.fanfare.common.store;

import io.fanfare.common.redis.Redis;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/**
 * Owns the {@code home} keys and their layout: a LIST whose head is {@code f<floor>} (complete above the floor) or {@code b<floor>:<token>} (being built), then ids as they
 * came, newest at the tail. Readers sort and drop duplicates. The key exists while its reader is active.
 */
public final class Homes {
    public Homes(Redis redis, Settings.Feeds settings) {
        throw new UnsupportedOperationException();
    }

    /** One delivery: these ids into the home of this reader. */
    public record Delivery(long reader, List<Long> ids) {}

    /** Pushes onto those homes that exist, pipelined per node, and trims the ones that have grown over their limit. Running it twice is harmless. */
    public Future<Void> push(List<Delivery> deliveries) {
        throw new UnsupportedOperationException();
    }

    /** Takes one id out of many homes; only saves space, since reads filter. */
    public Future<Void> takeOut(Collection<Long> readers, long id) {
        throw new UnsupportedOperationException();
    }

    /** feeds.md, "backfill": merges ids into the home if it exists and the reader still follows by this edge; raises the floor to {@code bound}. */
    public Future<Void> backfill(long reader, long author, long edge, List<Long> ids, long bound) {
        throw new UnsupportedOperationException();
    }

    /** feeds.md, "unfollow-clean": takes these ids of an author out if the reader still does not follow the author. */
    public Future<Void> clean(long reader, long author, List<Long> ids) {
        throw new UnsupportedOperationException();
    }

    /** The home as it is stored, for verification: ids sorted descending without repeats, or null when it does not exist or is being built. */
    public Future<List<Long>> raw(long reader) {
        throw new UnsupportedOperationException();
    }
}
