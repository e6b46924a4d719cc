package io.fanfare.core.queue;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Pauses lanes, for operators: no worker takes a job from a paused lane, in any shard, until it is resumed. What is
 * enqueued waits; batches that were claimed before end as usual; suspects run, since they are in no lane. Confined to
 * the event loop of its link; made by {@link JobQueue#lanePause}.
 */
public final class LanePause {
    private static final Script PAUSE = Script.load("pause");

    private final RedisLink redis;
    private final Shards shards;
    private final Supplier<Object> now;
    private final WakeTokens wakes;

    /** @param now the script's argument of that name */
    LanePause(RedisLink redis, Shards shards, Supplier<Object> now, WakeTokens wakes) {
        this.redis = redis;
        this.shards = shards;
        this.now = now;
        this.wakes = wakes;
    }

    /**
     * The result of a pause or resume.
     *
     * @param changed shards in which the lane was in the other state before
     * @param unreached shards that could not be reached, each with the reason: the lane's state there is unknown
     */
    public record Result(int changed, SortedMap<Integer, String> unreached) {}

    /** Pauses a lane in all shards, or resumes it there. Can be repeated; fails for no shard that cannot be reached. */
    public Future<Result> set(Lane lane, boolean paused) {
        List<Command> commands = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            commands.add(PAUSE.call(List.of(Keys.queueStats(shard)), now.get(), lane.key(), paused ? 1 : 0));
        }
        return redis.pipeline(commands).compose(replies -> paused ? done(replies) : wake(replies));
    }

    /** A token that is lost costs time only. */
    private Future<Result> wake(List<Reply> replies) {
        List<Future<Void>> woken = new ArrayList<>();
        for (int shard = 0; shard < replies.size(); shard++) {
            if (!replies.get(shard).isFailure() && replies.get(shard).asLong() == 1) {
                woken.add(wakes.wake(shard));
            }
        }
        return Future.join(woken).transform(done -> done(replies));
    }

    private static Future<Result> done(List<Reply> replies) {
        return Future.succeededFuture(result(replies));
    }

    private static Result result(List<Reply> replies) {
        int changed = 0;
        SortedMap<Integer, String> unreached = new TreeMap<>();
        for (int shard = 0; shard < replies.size(); shard++) {
            if (replies.get(shard) instanceof Reply.Failure failure) {
                unreached.put(shard, failure.error().getMessage());
            } else {
                changed += (int) replies.get(shard).asLong();
            }
        }
        return new Result(changed, unreached);
    }
}
