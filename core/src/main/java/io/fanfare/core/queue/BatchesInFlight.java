package io.fanfare.core.queue;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The batches that workers hold, for operators. Confined to the event loop of its link; made by
 * {@link JobQueue#batchesInFlight}.
 */
public final class BatchesInFlight {
    /** Batches of one shard that are looked at: those whose lease ends first. */
    static final int PER_SHARD_MAX = 100;

    private static final int COMMANDS_PER_BATCH = 2;

    private final RedisLink redis;
    private final Shards shards;
    private final Supplier<Object> now;

    /** @param now epoch ms of a test's clock; anything else = the clock of the shard's server */
    BatchesInFlight(RedisLink redis, Shards shards, Supplier<Object> now) {
        this.redis = redis;
        this.shards = shards;
        this.now = now;
    }

    /**
     * One batch at the moment of the look.
     *
     * @param leaseLeftMillis until its lease ends by the clock of the shard's server; negative = it has ended, and the
     *     jobs become suspects when nobody renews it
     */
    public record InFlight(int shard, String name, long jobs, long leaseLeftMillis) {
        /** The worker that has claimed it: an event loop of a worker process. */
        public String worker() {
            int dot = name.lastIndexOf('.');
            return dot < 0 ? name : name.substring(0, dot);
        }
    }

    /**
     * The batches found.
     *
     * @param more whether there are batches that were not looked at
     * @param unreached shards that did not answer
     */
    public record Found(List<InFlight> batches, boolean more, SortedSet<Integer> unreached) {}

    /** Up to {@code max} batches of all shards, in the order of the shards. Leaves out shards that do not answer. */
    public Future<Found> list(int max) {
        List<Command> commands = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            commands.add(Command.of("ZRANGE", Keys.leases(shard), 0, PER_SHARD_MAX, "WITHSCORES"));
        }
        return redis.pipeline(commands).compose(replies -> sizes(replies, max));
    }

    private Future<Found> sizes(List<Reply> replies, int max) {
        List<JobQueue.Leased> leased = new ArrayList<>();
        SortedSet<Integer> unreached = new TreeSet<>();
        boolean more = false;
        for (int shard = 0; shard < replies.size(); shard++) {
            if (replies.get(shard).isFailure()) {
                unreached.add(shard);
                continue;
            }
            List<Reply> pairs = replies.get(shard).flat();
            int found = pairs.size() / 2;
            int taken = Math.min(Math.min(found, PER_SHARD_MAX), max - leased.size());
            more |= taken < found;
            for (int i = 0; i < taken; i++) {
                leased.add(new JobQueue.Leased(
                        shard, pairs.get(2 * i).asString(), pairs.get(2 * i + 1).asLong()));
            }
        }
        List<Command> commands = new ArrayList<>(COMMANDS_PER_BATCH * leased.size());
        for (JobQueue.Leased batch : leased) {
            String key = Keys.batch(batch.shard(), batch.name());
            commands.add(Command.of("LLEN", key));
            commands.add(Command.routed("TIME", key));
        }
        boolean anyMore = more;
        return redis.pipeline(commands).map(answers -> found(leased, answers, anyMore, unreached));
    }

    private Found found(List<JobQueue.Leased> leased, List<Reply> answers, boolean more, SortedSet<Integer> unreached) {
        List<InFlight> batches = new ArrayList<>();
        for (int i = 0; i < leased.size(); i++) {
            JobQueue.Leased batch = leased.get(i);
            Reply jobs = answers.get(COMMANDS_PER_BATCH * i);
            Reply time = answers.get(COMMANDS_PER_BATCH * i + 1);
            if (jobs.isFailure() || time.isFailure()) {
                unreached.add(batch.shard());
            } else if (jobs.asLong() > 0) { // None: it was settled in between.
                batches.add(new InFlight(batch.shard(), batch.name(), jobs.asLong(), batch.deadline() - millis(time)));
            }
        }
        return new Found(batches, more, unreached);
    }

    private long millis(Reply time) {
        return now.get() instanceof Long tests
                ? tests
                : time.items().get(0).asLong() * 1000 + time.items().get(1).asLong() / 1000;
    }
}
