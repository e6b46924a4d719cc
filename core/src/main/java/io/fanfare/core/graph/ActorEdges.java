package io.fanfare.core.graph;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;

/**
 * The actions of accounts on statuses, on the near side, which decides: sets of status ids by edge id in the slot of
 * the account. {@link io.fanfare.common.store.SubjectEdges} is the other side.
 */
public final class ActorEdges {
    private static final Script MARK = Script.load("mark");
    private static final Script UNMARK = Script.load("unmark");

    private final Redis redis;
    private final Settings settings;

    public ActorEdges(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    /**
     * Begins an edge, with the job that finishes it. One that exists is answered. Refuses an account that is not active
     * ({@code FORBIDDEN}), a set that has {@code limits.favourites-max} members ({@code INVALID}: old ones stay, since
     * their other sides do), and when {@code queue.depth-max} jobs wait already ({@code OVERLOADED}).
     *
     * @param job null = there is no far side
     */
    public Future<Graph.Change> mark(String key, long account, long status, JobType job) {
        int shard = Id.shard(account);
        List<String> keys = List.of(
                Keys.user(account), key, Keys.ids(shard), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(MARK.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        status,
                        settings.limits().favouritesMax(),
                        settings.queue().depthMax(),
                        job(job, account, status)))
                .compose(reply -> marked(reply.items()));
    }

    private Future<Graph.Change> marked(List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "new" -> Future.succeededFuture(new Graph.Change(answer.get(1).asLong(), true));
            case "same" -> Future.succeededFuture(new Graph.Change(answer.get(1).asLong(), false));
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot do that.");
            case "full" ->
                refuse(
                        Reason.INVALID,
                        "You have put " + settings.limits().favouritesMax()
                                + " statuses on this list, which is the most that is allowed: take one off first.");
            case "busy" ->
                refuse(Reason.OVERLOADED, "Too many changes are still on their way: try again in a few seconds.");
            default -> throw new IllegalStateException("mark answered " + answer);
        };
    }

    private static Future<Graph.Change> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /** Ends an edge, with the job that finishes that. */
    public Future<Graph.Change> unmark(String key, long account, long status, JobType job) {
        int shard = Id.shard(account);
        List<String> keys = List.of(key, Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(UNMARK.call(keys, "", status, job(job, account, status)))
                .map(edge -> edge.isNil() ? new Graph.Change(0, false) : new Graph.Change(edge.asLong(), true));
    }

    /** The script adds the edge. */
    private static String job(JobType job, long account, long status) {
        return job == null ? "" : JobCodec.prefix(job) + account + " " + status;
    }

    /** Whether this very edge is still there. */
    public Future<Boolean> holds(String key, long status, long edge) {
        return redis.send(Command.of("ZSCORE", key, status)).map(score -> !score.isNil() && score.asLong() == edge);
    }
}
