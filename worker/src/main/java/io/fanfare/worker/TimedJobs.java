package io.fanfare.worker;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.ShardProbe;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/**
 * Jobs that are to be started at a certain time, maybe in a year: apart from the delayed ones, which a worker has had
 * in hand already. Nobody waits for them, so a shard that has nothing else is quiet. One event loop.
 */
public final class TimedJobs {
    private static final Script START_DUE = Script.load("start_due");

    /** Jobs that one call starts. */
    private static final int MAX = 100;

    private final Redis redis;
    private final ShardProbe look;

    /** @param guarded the same Redis, which does not start jobs early when its clock has jumped ahead */
    public TimedJobs(RedisLink redis, ClockGuard guarded, Shards shards) {
        this.redis = guarded;
        this.look = new ShardProbe(redis, shards, shard -> List.of(Keys.timers(shard)));
    }

    /** Shards that have some, among those whose turn it is, see {@link ShardProbe}. */
    public Future<Set<Integer>> look() {
        return look.look(Set.of());
    }

    /**
     * The jobs that were started.
     *
     * @param count how many jobs
     * @param nextMillis until the next one is due; -1 = there is none
     */
    public record Started(long count, long nextMillis) {}

    /** Lets those of a shard wait in a lane whose time has come, some at once. */
    public Future<Started> start(int shard) {
        return redis.send(START_DUE.call(
                        List.of(Keys.timers(shard), Keys.lane(shard, Lane.NORMAL.key()), Keys.queueStats(shard)),
                        Script.CHECKED_NOW,
                        MAX))
                .map(reply -> new Started(
                        reply.items().get(0).asLong(), reply.items().get(1).asLong()));
    }
}
