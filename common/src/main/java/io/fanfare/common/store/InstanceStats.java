package io.fanfare.common.store;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How much there is here, for those who look at the server from outside. Counted where things come and go; summed up at
 * most once a minute. One event loop.
 */
public final class InstanceStats {
    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

    private final Redis redis;
    private final Shards shards;
    private final UsernameIndex usernames;
    private final LongSupplier nanos;
    private Sums known;
    private long knownNanos;
    private Future<Sums> running;

    public InstanceStats(Redis redis, Shards shards, UsernameIndex usernames, LongSupplier nanos) {
        this.redis = redis;
        this.shards = shards;
        this.usernames = usernames;
        this.nanos = nanos;
    }

    /** Accounts, and living posts of all of them. */
    public record Sums(long users, long statuses) {}

    /** At most a minute old; older while Redis is away. However many ask at once, it is read once. */
    public Future<Sums> sums() {
        if (known != null && nanos.getAsLong() - knownNanos < FRESH_NANOS) {
            return Future.succeededFuture(known);
        }
        if (running == null || running.isComplete()) {
            running = read().onSuccess(this::keep);
        }
        return running.recover(cause -> known == null ? Future.failedFuture(cause) : Future.succeededFuture(known));
    }

    private Future<Sums> read() {
        List<Command> commands = new ArrayList<>(shards.count());
        for (int shard = 0; shard < shards.count(); shard++) {
            commands.add(Command.of("HGET", Keys.counts(shard), "statuses"));
        }
        Future<Long> users = usernames.count();
        Future<List<Reply>> statuses = BatchedPipeline.send(redis, commands);
        return Future.all(users, statuses).map(both -> new Sums(users.result(), sum(statuses.result())));
    }

    private void keep(Sums sums) {
        known = sums;
        knownNanos = nanos.getAsLong();
    }

    private static long sum(List<Reply> counts) {
        return counts.stream()
                .mapToLong(count -> count.isNil() ? 0 : count.asLong())
                .sum();
    }
}
