package io.fanfare.core.graph;

import io.fanfare.common.event.Event.Kind;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Edges;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Graph.Change;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@code blocks}, {@code mutes}, {@code mute-ends} and {@code heard} keys. A mute is one step at who mutes, and
 * its event; one that has an end is over when the clock says so, with nothing to be done. A block is: {@code block.lua}
 * (blocker's side, with the end of the blocker's own follow and the repair jobs), the link at the blocked one, the
 * re-check, then the end of the blocked one's follow. From the link on {@code follow.lua} refuses there, so that no
 * follow survives it, and none that comes after the block's end is taken for one from before. Each step is idempotent
 * and bound to the block's edge; the jobs do them again.
 */
public class Blocks {
    private static final Logger LOG = LoggerFactory.getLogger(Blocks.class);

    private static final Script BLOCK = Script.load("block");
    private static final Script UNBLOCK = Script.load("unblock");
    private static final Script MUTE = Script.load("mute");
    private static final Script UNMUTE = Script.load("unmute");

    private final Redis redis;
    private final Settings settings;
    private final Graph graph;
    private final Follows follows;
    private final SubjectEdges subjectEdges;

    public Blocks(Redis redis, Settings settings, Graph graph, Follows follows) {
        this.redis = redis;
        this.settings = settings;
        this.graph = graph;
        this.follows = follows;
        this.subjectEdges = new SubjectEdges(redis, settings);
    }

    /**
     * All steps of a block. Refuses blocking oneself, an unknown account, more than {@code limits.blocks-max}, and when
     * {@code queue.depth-max} jobs wait already.
     */
    public Future<Change> block(long blocker, long blocked) {
        if (blocker == blocked) {
            return Future.failedFuture(new Refusal(Reason.INVALID, "You cannot block yourself."));
        }
        return graph.isActive(blocked)
                .compose(active -> active ? begin(blocker, blocked) : Future.failedFuture(Refusal.unknown()))
                .compose(change -> settle(blocker, blocked, change.edge())
                        .compose(blocks -> blocks
                                ? tried(appendEvent(Kind.BLOCK, blocker, blocked, change.edge()))
                                : Future.succeededFuture())
                        .map(change));
    }

    private Future<Change> begin(long blocker, long blocked) {
        int shard = Id.shard(blocker);
        List<String> keys = List.of(
                Keys.user(blocker),
                Keys.blocks(blocker),
                Keys.following(blocker),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.noReposts(blocker),
                Keys.lists(blocker),
                Keys.listed(blocker),
                Keys.bells(blocker),
                Keys.acceptedSenders(blocker),
                Keys.endorsed(blocker),
                Keys.requesting(blocker),
                Keys.requestTerms(blocker),
                Keys.languages(blocker));
        int max = settings.limits().blocksMax();
        return redis.send(BLOCK.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        blocker,
                        blocked,
                        max,
                        settings.queue().depthMax()))
                .compose(reply -> begun(blocker, blocked, reply.items()));
    }

    private Future<Change> begun(long blocker, long blocked, List<Reply> answer) {
        Future<Change> change = change(answer, "You block " + settings.limits().blocksMax(), "unblock one first.");
        boolean made = answer.size() > 2;
        long ended = made ? answer.get(2).asLong() : 0;
        long request = made ? answer.get(3).asLong() : 0;
        Future<Void> rest = request == 0 ? Future.succeededFuture() : graph.unlinkRequest(blocker, blocked, request);
        return rest.compose(
                        done -> ended == 0 ? Future.succeededFuture() : follows.finishUnfollow(blocker, blocked, ended))
                .compose(done -> change);
    }

    private static Future<Change> change(List<Reply> answer, String full, String remedy) {
        return switch (answer.get(0).asString()) {
            case "new" -> Future.succeededFuture(new Change(answer.get(1).asLong(), true));
            case "same" -> Future.succeededFuture(new Change(answer.get(1).asLong(), false));
            case "inactive" ->
                Future.failedFuture(new Refusal(Reason.FORBIDDEN, "This account cannot block or mute others."));
            case "full" ->
                Future.failedFuture(
                        new Refusal(Reason.INVALID, full + " accounts, which is the most that is allowed: " + remedy));
            case "busy" ->
                Future.failedFuture(new Refusal(
                        Reason.OVERLOADED, "Too many changes are still on their way: try again in a few seconds."));
            default -> throw new IllegalStateException("the script answered " + answer);
        };
    }

    /** The steps of a block at the blocked one, unless it has ended meanwhile, and its event. */
    public Future<Void> finishBlock(long blocker, long blocked, long edge) {
        return settle(blocker, blocked, edge)
                .compose(blocks -> blocks ? appendEvent(Kind.BLOCK, blocker, blocked, edge) : Future.succeededFuture());
    }

    /** Whether the block still stands, by this edge or by one that has taken its place. */
    private Future<Boolean> settle(long blocker, long blocked, long edge) {
        return subjectEdges
                .link(SubjectEdges.Kind.BLOCK, blocked, blocked, blocker, edge, null)
                .compose(linked -> stillBlocks(blocker, blocked, edge).compose(blocks -> {
                    if (!blocks) {
                        return unlink(blocker, blocked, edge).map(false);
                    }
                    if (linked.deleted()) {
                        // Its erasure could not see this block.
                        return unblock(blocker, blocked).map(false);
                    }
                    return linked.hasEnded()
                            ? blockAgain(blocker, blocked)
                            : follows.unfollowBlocker(blocked, blocker, edge).map(true);
                }));
    }

    /** Replaces a block that a failover has restored after its end by a new one, whose job appends the event. */
    private Future<Boolean> blockAgain(long blocker, long blocked) {
        return unblock(blocker, blocked)
                .compose(done -> begin(blocker, blocked))
                .compose(change -> settle(blocker, blocked, change.edge()));
    }

    /** Open streams go by this. */
    private Future<Void> appendEvent(Kind kind, long account, long other, long edge) {
        return follows.append(EventBodies.internal(kind, account, other, edge));
    }

    /**
     * For callers whose change is made: its event comes before their answer if it can, and later by the job where there
     * is one.
     */
    private static Future<Void> tried(Future<Void> appended) {
        return appended.recover(cause -> {
            LOG.debug("event left to its job cause={}", cause.toString());
            return Future.succeededFuture();
        });
    }

    private Future<Boolean> stillBlocks(long blocker, long blocked, long edge) {
        return redis.send(Command.of("ZSCORE", Keys.blocks(blocker), blocked))
                .map(score -> !score.isNil() && score.asLong() == edge);
    }

    /** All steps of the end of a block. Follows that it has ended do not come back. */
    public Future<Change> unblock(long blocker, long blocked) {
        int shard = Id.shard(blocker);
        List<String> keys = List.of(Keys.blocks(blocker), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(UNBLOCK.call(keys, "", blocker, blocked))
                .compose(edge -> edge.isNil()
                        ? endOneSided(blocker, blocked).map(new Change(0, false))
                        : unlink(blocker, blocked, edge.asLong())
                                .compose(done -> tried(appendEvent(Kind.UNBLOCK, blocker, blocked, edge.asLong())))
                                .map(new Change(edge.asLong(), true)));
    }

    /** Ends a block that a failover has lost at the blocker, but that the blocked account still lists. */
    private Future<Void> endOneSided(long blocker, long blocked) {
        return subjectEdges
                .oneSided(SubjectEdges.Kind.BLOCK, blocked, blocker, edge -> stillBlocks(blocker, blocked, edge))
                .compose(edge -> edge == 0 ? Future.succeededFuture() : finishUnblock(blocker, blocked, edge));
    }

    /** The step of the end of a block at the blocked one, and its event. */
    public Future<Void> finishUnblock(long blocker, long blocked, long edge) {
        return unlink(blocker, blocked, edge).compose(done -> appendEvent(Kind.UNBLOCK, blocker, blocked, edge));
    }

    private Future<Void> unlink(long blocker, long blocked, long edge) {
        return subjectEdges.unlink(SubjectEdges.Kind.BLOCK, blocked, blocked, blocker, edge, null);
    }

    /**
     * Leaves somebody out of what an account sees in lists. Refuses muting oneself, an unknown account, more than
     * {@code limits.mutes-max}, and when {@code queue.depth-max} jobs wait already.
     *
     * @param notifications whether notifications of the muted one are left out as well; of one who is muted already,
     *     this is changed
     */
    public Future<Change> mute(long muter, long muted, boolean notifications) {
        return mute(muter, muted, notifications, 0);
    }

    /**
     * The same for a time. Of one who is muted already, the new end takes the place of the old one.
     *
     * @param millis from now on; 0 = until it is taken back
     */
    public Future<Change> mute(long muter, long muted, boolean notifications, long millis) {
        if (muter == muted) {
            return Future.failedFuture(new Refusal(Reason.INVALID, "You cannot mute yourself."));
        }
        int shard = Id.shard(muter);
        List<String> keys = List.of(
                Keys.user(muter),
                Keys.mutes(muter),
                Keys.notifyingMutes(muter),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.muteEnds(muter));
        int max = settings.limits().mutesMax();
        int depthMax = settings.queue().depthMax();
        return graph.isActive(muted)
                .compose(active -> active
                        ? redis.send(MUTE.call(
                                keys,
                                Script.CHECKED_NOW,
                                shard,
                                muter,
                                muted,
                                max,
                                notifications ? 1 : 0,
                                depthMax,
                                millis))
                        : Future.failedFuture(Refusal.unknown()))
                .compose(reply -> change(reply.items(), "You mute " + max, "unmute one first."))
                .compose(change -> tried(appendEvent(Kind.MUTE, muter, muted, change.edge()))
                        .map(change));
    }

    /** Takes a mute back. */
    public Future<Void> unmute(long muter, long muted) {
        int shard = Id.shard(muter);
        List<String> keys = List.of(
                Keys.mutes(muter),
                Keys.notifyingMutes(muter),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.muteEnds(muter));
        return redis.send(UNMUTE.call(keys, "", muter, muted))
                .compose(edge -> edge.isNil()
                        ? Future.succeededFuture()
                        : tried(appendEvent(Kind.UNMUTE, muter, muted, edge.asLong())));
    }

    /** The event of a mute. One that has ended is told all the same: streams ask what holds. */
    public Future<Void> finishMute(long muter, long muted, long edge) {
        return appendEvent(Kind.MUTE, muter, muted, edge);
    }

    /** The event of the end of a mute. */
    public Future<Void> finishUnmute(long muter, long muted, long edge) {
        return appendEvent(Kind.UNMUTE, muter, muted, edge);
    }

    /** The blocked accounts, newest block first; cursors are edge ids. */
    public Future<Page<Edge>> blocks(long account, PageRequest page) {
        return Edges.page(redis, Keys.blocks(account), page);
    }

    /** The muted accounts, newest mute first; cursors are edge ids. Some of these mutes may have ended. */
    public Future<Page<Edge>> mutes(long account, PageRequest page) {
        return Edges.page(redis, Keys.mutes(account), page);
    }
}
