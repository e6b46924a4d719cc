package io.fanfare.common.queue;

import io.fanfare.common.id.Shards;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/** The task queue on Redis lists: one per shard, claimed in batches under a lease, at least once. Every method is one round trip; see the Lua files for what is atomic. */
public final class JobQueue {
    public JobQueue(RedisLink redis, Shards shards, Settings.Queue settings) {
        throw new UnsupportedOperationException();
    }

    /** Enqueues a job into its owner's shard; stores that must do so atomically with a write use {@code lua/lib/enqueue.lua} instead. */
    public Future<Void> enqueue(Job job, Lane lane) {
        throw new UnsupportedOperationException();
    }

    /** Tells waiting workers that a shard has work. Best effort. */
    public Future<Void> wake(int shard) {
        throw new UnsupportedOperationException();
    }

    /** Waits up to {@code atMostMillis} for wake tokens; the shards named by them, without repeats. */
    public Future<List<Integer>> awaitWake(long atMostMillis) {
        throw new UnsupportedOperationException();
    }

    /** Claims up to {@code max} jobs as batch {@code name} (unique per claim: {@code worker.n}); asked again with the same name it renews the lease and answers the same jobs. */
    public Future<Batch> fetch(int shard, String name, int max) {
        throw new UnsupportedOperationException();
    }

    /**
     * Acknowledges a whole batch: outcome i belongs to job i. Answers false when the lease had been lost: then nothing was done, and the jobs run elsewhere.
     */
    public Future<Boolean> settle(Batch batch, List<Outcome> outcomes) {
        throw new UnsupportedOperationException();
    }

    /** Renews leases; answers the batches whose lease is gone: drop their work before its next side effect. */
    public Future<List<Batch>> beat(Collection<Batch> batches) {
        throw new UnsupportedOperationException();
    }

    /** Moves the jobs of batches whose lease has ended to the suspects (or, after three deaths alone, to the dead letters); how many batches. */
    public Future<Integer> reap(int shard) {
        throw new UnsupportedOperationException();
    }

    /** Puts a batch back, unharmed: for shutdown. */
    public Future<Void> release(Batch batch) {
        throw new UnsupportedOperationException();
    }

    /** Numbers of one shard. {@code oldestMillis}: when the oldest waiting job was enqueued, 0 = none waits. */
    public record Stats(
            int shard,
            long high,
            long normal,
            long low,
            long suspect,
            long delayed,
            long inFlightBatches,
            long dead,
            long enqueued,
            long done,
            long retried,
            long buried,
            long reaped,
            long oldestMillis) {}

    public Future<List<Stats>> stats() {
        throw new UnsupportedOperationException();
    }
}
