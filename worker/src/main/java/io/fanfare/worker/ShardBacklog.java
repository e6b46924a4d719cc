package io.fanfare.worker;

import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * The shards as a worker knows them: which may have jobs, which have suspects, and when a delayed job of each is due.
 * Shards are taken in the order in which they were found. One event loop.
 */
final class ShardBacklog {
    private final Vertx vertx;
    private final LongSupplier nanos;

    private final Set<Integer> any = new LinkedHashSet<>();

    /** The same for the high lane, which has places of its own. */
    private final Set<Integer> high = new LinkedHashSet<>();

    private final Set<Integer> suspected = new LinkedHashSet<>();

    /** When the first delayed job of a shard is due, of those that are known here. */
    private final Map<Integer, Long> dueNanos = new HashMap<>();

    ShardBacklog(Vertx vertx, LongSupplier nanos) {
        this.vertx = vertx;
        this.nanos = nanos;
    }

    void found(int shard) {
        any.add(shard);
        high.add(shard);
    }

    void foundSuspects(int shard) {
        suspected.add(shard);
    }

    void forget(int shard) {
        any.remove(shard);
        high.remove(shard);
    }

    /** Forgets all but suspects and what is delayed. */
    void clear() {
        any.clear();
        high.clear();
    }

    boolean hasAny() {
        return !any.isEmpty();
    }

    boolean hasHigh() {
        return !high.isEmpty();
    }

    boolean hasSuspects() {
        return !suspected.isEmpty();
    }

    /** Whether this shard may have jobs, and no other. */
    boolean isOnly(int shard) {
        return any.size() == 1 && any.contains(shard);
    }

    int takeAny() {
        int shard = takeFirst(any);
        high.remove(shard);
        return shard;
    }

    int takeHigh() {
        return takeFirst(high);
    }

    int takeSuspected() {
        return takeFirst(suspected);
    }

    private static int takeFirst(Set<Integer> shards) {
        Iterator<Integer> first = shards.iterator();
        int shard = first.next();
        first.remove();
        return shard;
    }

    /** A delayed job is due then: one timer a shard, for the first that is known. */
    void dueIn(int shard, long millis, IntConsumer isDue) {
        long due = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
        Long known = dueNanos.get(shard);
        if (known != null && known - due <= 0) {
            return;
        }
        dueNanos.put(shard, due);
        vertx.setTimer(Math.max(1, millis), timer -> {
            if (dueNanos.remove(shard, due)) {
                isDue.accept(shard);
            }
        });
    }
}
