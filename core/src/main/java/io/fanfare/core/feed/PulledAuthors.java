package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which authors readers pull, and above which id none of their posts lies, as one event loop knows it (docs/feeds.md,
 * section 4). Redis keeps that for each shard, ordered by these ids, which rise in the order of posting: so what has
 * changed since the last look is what lies above the highest id seen, and an author without news costs a reader
 * nothing.
 *
 * <p>An author becomes pulled {@link Statuses#DIAL_LEASE} before the first post is left to readers, and every reading
 * begins with looks that are at most {@link #LEASE} old. Authors are never taken out here: to pull somebody whose posts
 * are pushed shows the same page. Bounded; confined to one event loop.
 */
public final class PulledAuthors {
    /** How old a look may be when a reading begins. */
    public static final Duration LEASE = Duration.ofSeconds(5);

    private static final long LEASE_NANOS = LEASE.toNanos();
    private static final long REFRESH_NANOS = LEASE_NANOS * 2 / 5;
    private static final long CHECK_NANOS = LEASE_NANOS / 20;

    /** Authors of one answer. */
    private static final int CHUNK = 5_000;

    /** Authors of all shards together, some hundred bytes each. */
    private static final int AUTHORS_MAX = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(PulledAuthors.class);

    private final Redis redis;
    private final LongSupplier nanos;
    private final Shard[] shards;

    /** Always empty: stands for shards that were added after this process had started, and which it does not read. */
    private final Shard unknown = new Shard(-1);

    private final int authorsMax;
    private long nextCheck;
    private int known;

    /** @param nanos a clock that never goes back, such as {@link System#nanoTime} */
    public PulledAuthors(Redis redis, Shards shards, LongSupplier nanos) {
        this(redis, shards, nanos, AUTHORS_MAX);
    }

    PulledAuthors(Redis redis, Shards shards, LongSupplier nanos, int authorsMax) {
        this.redis = redis;
        this.nanos = nanos;
        this.authorsMax = Math.max(2, authorsMax / shards.count());
        this.shards = new Shard[shards.count()];
        for (int i = 0; i < this.shards.length; i++) {
            this.shards[i] = new Shard(i);
        }
        nextCheck = nanos.getAsLong();
    }

    /**
     * Completes when what is known of each shard is young enough to begin a reading, most often at once. Of a shard
     * that does not answer nothing is known then, and everybody there counts as pulled, with news; readings do not wait
     * for it again until it answers.
     */
    Future<Void> ready() {
        long now = nanos.getAsLong();
        if (now - nextCheck < 0) {
            return Future.succeededFuture();
        }
        List<Future<?>> due = new ArrayList<>();
        for (Shard shard : shards) {
            if (shard.isOlder(now, LEASE_NANOS - CHECK_NANOS) && !shard.failed) {
                due.add(shard.look().recover(shard::forget));
            } else if (shard.isOlder(now, REFRESH_NANOS)) {
                shard.look().onFailure(cause -> LOG.debug("pulled authors not read cause={}", cause.toString()));
            }
        }
        if (due.isEmpty()) {
            nextCheck = now + CHECK_NANOS;
            return Future.succeededFuture();
        }
        return Future.join(due).mapEmpty();
    }

    /**
     * Looks again at the shards of those of these accounts that are pulled: what they have posted until now is known
     * then. Nothing to do, and no command, when nobody is.
     */
    Future<Void> refresh(List<Long> accounts) {
        if (known == 0) {
            return Future.succeededFuture();
        }
        BitSet requested = new BitSet(shards.length);
        List<Future<?>> looks = new ArrayList<>();
        for (long account : accounts) {
            Shard shard = shardOf(account);
            if (shard.newest.containsKey(account) && !requested.get(shard.number)) {
                requested.set(shard.number);
                looks.add(shard.look().recover(shard::forget));
            }
        }
        return looks.isEmpty() ? Future.succeededFuture() : Future.join(looks).mapEmpty();
    }

    /** Whether anybody is pulled, as far as is known. */
    boolean any() {
        return known > 0;
    }

    /** Whether an account may have posts above an id that nobody has pushed. */
    boolean mayHaveNews(long since) {
        return known > 0 || !isComplete(since);
    }

    /** The accounts, of these, that may have posts above an id that nobody has pushed. */
    List<Long> withNews(List<Long> accounts, long since) {
        List<Long> found = new ArrayList<>();
        if (!mayHaveNews(since)) {
            return found;
        }
        for (long account : accounts) {
            if (shardOf(account).hasNews(account, since)) {
                found.add(account);
            }
        }
        return found;
    }

    private boolean isComplete(long since) {
        for (Shard shard : shards) {
            if (shard.start > since) {
                return false;
            }
        }
        return true;
    }

    private Shard shardOf(long account) {
        int shard = Id.shard(account);
        return shard < shards.length ? shards[shard] : unknown;
    }

    /** The known authors of one shard. */
    private final class Shard {
        private final int number;
        private final Map<Long, Long> newest = new HashMap<>();
        /** Authors who are not in {@link #newest} have no such posts above this; the highest id = nothing is known. */
        private long start = Id.MAX;

        private long highest;
        private boolean loaded;
        private boolean failed;
        private long lookedAt;
        private Future<Void> look;
        private Promise<Void> next;

        Shard(int number) {
            this.number = number;
        }

        boolean isOlder(long now, long age) {
            return !loaded || now - lookedAt > age;
        }

        boolean hasNews(long account, long since) {
            Long id = newest.get(account);
            return id == null ? since < start : id > since;
        }

        /** One look at a time: who asks meanwhile shares the next, which begins after the question. */
        Future<Void> look() {
            if (look == null) {
                look = read();
                Future<Void> begun = look;
                look.onComplete(done -> {
                    look = look == begun ? null : look;
                    Promise<Void> waiting = next;
                    next = null;
                    if (waiting != null) {
                        look().onComplete(waiting);
                    }
                });
                return begun;
            }
            if (next == null) {
                next = Promise.promise();
            }
            return next.future();
        }

        private Future<Void> read() {
            long begun = nanos.getAsLong();
            String key = Keys.pulledAuthors(number);
            Command changes = loaded
                    ? Command.of("ZRANGE", key, "(" + highest, "+inf", "BYSCORE", "LIMIT", 0, CHUNK, "WITHSCORES")
                    : Command.of("ZRANGE", key, 0, Math.min(CHUNK, authorsMax) - 1, "REV", "WITHSCORES");
            return redis.pipeline(List.of(Command.of("GET", Keys.ids(number)), changes))
                    .compose(replies -> {
                        for (Reply reply : replies) {
                            if (reply instanceof Reply.Failure failure) {
                                return Future.failedFuture(failure.error());
                            }
                        }
                        Reply last = replies.get(0);
                        if (loaded && (last.isNil() ? 0 : last.asLong()) < highest) {
                            // A failover has lost ids, and they are given out again.
                            clear();
                            return read();
                        }
                        if (take(replies.get(1).flat()) >= CHUNK && loaded) {
                            return read();
                        }
                        lookedAt = begun;
                        loaded = true;
                        failed = false;
                        return Future.succeededFuture();
                    });
        }

        /** Answers how many there were. */
        private int take(List<Reply> pairs) {
            int count = pairs.size() / 2;
            long lowest = Id.MAX;
            for (int i = 0; i < count; i++) {
                long id = pairs.get(2 * i + 1).asLong();
                if (newest.put(pairs.get(2 * i).asLong(), id) == null) {
                    known++;
                }
                highest = Math.max(highest, id);
                lowest = Math.min(lowest, id);
            }
            if (!loaded) {
                start = count >= Math.min(CHUNK, authorsMax) ? lowest : 0;
            }
            if (newest.size() > authorsMax) {
                dropOldest();
            }
            return count;
        }

        /** The older half. */
        private void dropOldest() {
            long[] ids = newest.values().stream().mapToLong(id -> id).sorted().toArray();
            start = Math.max(start, ids[ids.length / 2]);
            known -= newest.size();
            newest.values().removeIf(id -> id <= start);
            known += newest.size();
        }

        private void clear() {
            known -= newest.size();
            newest.clear();
            start = Id.MAX;
            highest = 0;
            loaded = false;
        }

        /** A look that has failed: what was known may be too old. */
        Future<Void> forget(Throwable cause) {
            LOG.debug("pulled authors not read shard={} cause={}", number, cause.toString());
            if (loaded && !isOlder(nanos.getAsLong(), LEASE_NANOS)) {
                return Future.succeededFuture();
            }
            clear();
            failed = true;
            return Future.succeededFuture();
        }
    }
}
