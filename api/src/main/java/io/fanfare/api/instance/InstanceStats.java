package io.fanfare.api.instance;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How much there is here, for those who look at the server from outside. Counted where things come and go; summed up at
 * most once a minute. One event loop.
 */
public final class InstanceStats {
    /** Weeks that are looked back on: count_week.lua keeps one more. */
    public static final int WEEKS = 12;

    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long WEEK_MILLIS = Duration.ofDays(7).toMillis();

    /** From the Monday on which the numbers of weeks begin, 1969-12-29, to the Unix epoch. */
    private static final long FIRST_MONDAY_MILLIS = Duration.ofDays(3).toMillis();

    private static final List<String> COUNTED = List.of("posts", "logins", "joined");

    private final Redis redis;
    private final Shards shards;
    private final UsernameIndex usernames;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Reading<Sums> sums = new Reading<>(this::readSums);
    private final Reading<List<Week>> weeks = new Reading<>(this::readWeeks);

    public InstanceStats(Redis redis, Shards shards, UsernameIndex usernames, InstantSource clock, LongSupplier nanos) {
        this.redis = redis;
        this.shards = shards;
        this.usernames = usernames;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Accounts, and living posts of all of them. */
    public record Sums(long users, long statuses) {}

    /**
     * A week, from Monday on, UTC.
     *
     * @param begin Unix seconds
     * @param posts that were written, reposts left out; deleted ones count
     * @param logins tokens that were issued to users who proved who they are
     * @param registrations accounts that were made
     */
    public record Week(long begin, long posts, long logins, long registrations) {}

    /** At most a minute old; older while Redis is away. However many ask at once, it is read once. */
    public Future<Sums> sums() {
        return sums.get();
    }

    /** The present week and the eleven before it, the newest first; as old as {@link #sums}. */
    public Future<List<Week>> weeks() {
        return weeks.get();
    }

    private Future<List<Week>> readWeeks() {
        long last = (clock.millis() + FIRST_MONDAY_MILLIS) / WEEK_MILLIS;
        List<String> fields = new ArrayList<>();
        for (long week = last; week > last - WEEKS; week--) {
            for (String counted : COUNTED) {
                fields.add(counted + ":" + week);
            }
        }
        List<Command> commands = new ArrayList<>(shards.count());
        for (int shard = 0; shard < shards.count(); shard++) {
            commands.add(Command.of("HMGET", Keys.counts(shard), fields.toArray()));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            long[] sums = new long[fields.size()];
            for (Reply reply : replies) {
                List<Reply> values = reply.items();
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += values.get(i).isNil() ? 0 : values.get(i).asLong();
                }
            }
            return weeks(last, sums);
        });
    }

    private static List<Week> weeks(long last, long[] sums) {
        List<Week> weeks = new ArrayList<>(WEEKS);
        for (int i = 0; i < WEEKS; i++) {
            long begin = ((last - i) * WEEK_MILLIS - FIRST_MONDAY_MILLIS) / 1000;
            int at = i * COUNTED.size();
            weeks.add(new Week(begin, sums[at], sums[at + 1], sums[at + 2]));
        }
        return List.copyOf(weeks);
    }

    private Future<Sums> readSums() {
        List<Command> commands = new ArrayList<>(shards.count());
        for (int shard = 0; shard < shards.count(); shard++) {
            commands.add(Command.of("HGET", Keys.counts(shard), "statuses"));
        }
        Future<Long> users = usernames.count();
        Future<List<Reply>> statuses = BatchedPipeline.send(redis, commands);
        return Future.all(users, statuses).map(both -> new Sums(users.result(), sum(statuses.result())));
    }

    private static long sum(List<Reply> counts) {
        return counts.stream()
                .mapToLong(count -> count.isNil() ? 0 : count.asLong())
                .sum();
    }

    /** Something that is read for all who ask within a minute. */
    private final class Reading<T> {
        private final Supplier<Future<T>> source;
        private T known;
        private long knownNanos;
        private Future<T> running;

        Reading(Supplier<Future<T>> source) {
            this.source = source;
        }

        Future<T> get() {
            if (known != null && nanos.getAsLong() - knownNanos < FRESH_NANOS) {
                return Future.succeededFuture(known);
            }
            if (running == null || running.isComplete()) {
                running = source.get().onSuccess(this::keep);
            }
            return running.recover(cause -> known == null ? Future.failedFuture(cause) : Future.succeededFuture(known));
        }

        private void keep(T read) {
            known = read;
            knownNanos = nanos.getAsLong();
        }
    }
}
