package io.fanfare.worker.account;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.AddressChanges.Change;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Directory;
import io.fanfare.common.store.Edges;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.favourite.Favourites;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.Roles;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Erases what a deleted account has, a page at a time: what has another side by the steps with which its user would
 * take it back, then all that the account alone has, so that a tombstone with its name stays. Nothing is noted between
 * two pages but where in the archive to go on: each looks for what is left, so that any may be cut, or run twice.
 *
 * <p>Follows end before statuses are deleted: then each home is cleaned once, instead of once for each status.
 */
public final class AccountErasure {
    /** The number of items that one step takes back. */
    static final int PAGE = 50;

    /** The place of a step that has everything in Redis still before it. */
    private static final long BEGIN = 0;

    private static final Script ERASE = Script.load("erase_account");
    private static final Script DROP_CLAIM = Script.load("claim_drop");

    private final Redis redis;
    private final Graph graph;
    private final Statuses statuses;
    private final Conversations conversations;
    private final PostSideEffects sideEffects;
    private final HeldStatuses held;
    private final ScheduledStatuses scheduled;
    private final Follows follows;
    private final Blocks blocks;
    private final Favourites favourites;
    private final Warnings warnings;
    private final List<Part> parts;

    public AccountErasure(LoopStores stores) {
        this.redis = stores.redis();
        this.graph = stores.graph();
        this.statuses = stores.statuses();
        this.conversations = stores.conversations();
        this.sideEffects = stores.sideEffects();
        this.held = new HeldStatuses(stores);
        this.scheduled = new ScheduledStatuses(redis);
        this.follows = stores.follows();
        this.blocks = stores.blocks();
        this.favourites = stores.favourites();
        this.warnings = stores.notifications().warnings();
        this.parts = List.of(
                new Part(Keys::followers, each((u, follower) -> follows.removeFollower(u, follower.accountId()))),
                new Part(Keys::following, this::unfollow),
                new Part(Keys::requesting, each((u, requester) -> follows.removeFollower(requester.accountId(), u))),
                new Part(Keys::requests, each((u, asks) -> follows.removeFollower(u, asks.accountId()))),
                new Part(Keys::blocks, each((u, blocked) -> blocks.unblock(u, blocked.accountId()))),
                new Part(Keys::blockedBy, each((u, blocker) -> blocks.unblock(blocker.accountId(), u))),
                new Part(Keys::favourites, each((u, status) -> favourites.unlike(u, status.accountId()))),
                new Part(Keys::held, each((u, entry) -> held.withdraw(u, entry.accountId()))),
                new Part(Keys::scheduled, each((u, entry) -> scheduled.cancel(u, entry.accountId()))),
                new Part(Keys::profile, each((u, status) -> delete(u, status.accountId()))),
                new Part(Keys::commentsBy, each((u, status) -> delete(u, status.accountId()))),
                new Part(Keys::conversations, this::leave));
    }

    /**
     * The result of a step.
     *
     * @param next where the next one goes on
     */
    public record Step(boolean done, long next) {
        static final Step DONE = new Step(true, 0);

        static Step at(long next) {
            return new Step(false, next);
        }
    }

    /**
     * Something that has another side.
     *
     * @param set the account's side: ZSET member by a number
     * @param undo takes some of it back, on both sides
     */
    private record Part(Function<Long, String> set, Undo undo) {}

    @FunctionalInterface
    private interface Undo {
        Future<?> of(long account, List<Edge> edges);
    }

    @FunctionalInterface
    private interface UndoOne {
        Future<?> of(long account, Edge one);
    }

    private static Undo each(UndoOne undo) {
        return (account, edges) ->
                Future.join(edges.stream().map(one -> undo.of(account, one)).toList());
    }

    /**
     * Erases some of what an account has, whose deletion has begun; does nothing for any other.
     *
     * @param from 0, or {@link Step#next}
     */
    public Future<Step> step(long account, long from) {
        return redis.send(Command.of("HMGET", Keys.user(account), "state", "name", "email"))
                .map(Reply::items)
                .compose(fields -> !"deleted".equals(fields.get(0).asString())
                        ? Future.succeededFuture(Step.DONE)
                        : step(account, from, fields.get(1).asString(), fields.get(2)));
    }

    private Future<Step> step(long account, long from, String name, Reply email) {
        Future<Step> sides = from == BEGIN
                ? redis.send(Command.of("UNLINK", Keys.home(account)))
                        .compose(done -> undoPart(account, 0))
                        .compose(undone -> undone
                                ? Future.succeededFuture(Step.at(BEGIN))
                                : statuses.archived()
                                        .borders(List.of(account))
                                        .compose(borders -> archived(account, borders.get(0) + 1)))
                : archived(account, from);
        return sides.compose(step -> step.done() ? end(account, name, email) : Future.succeededFuture(step));
    }

    /** A page of the first part that there is; whether there was any. */
    private Future<Boolean> undoPart(long account, int part) {
        if (part == parts.size()) {
            return Future.succeededFuture(false);
        }
        String key = parts.get(part).set().apply(account);
        return redis.send(Edges.upward(key, -Id.MAX, Id.MAX, PAGE))
                .map(Edges::of)
                .compose(page -> {
                    if (page.isEmpty()) {
                        return undoPart(account, part + 1);
                    }
                    Object[] members = page.stream().map(Edge::accountId).toArray();
                    return parts.get(part)
                            .undo()
                            .of(account, page)
                            // What one side alone had is taken back by nothing else.
                            .compose(done -> redis.send(Command.of("ZREM", key, members)))
                            .map(true);
                });
    }

    /**
     * Ends follows. The homes of others are not concerned, and that of the account is gone. Bells end first: a step
     * that was cut finds no follow that has ended, and the followee's side would keep the account until its next post.
     */
    private Future<Void> unfollow(long account, List<Edge> followees) {
        Object[] ids = followees.stream().map(Edge::accountId).toArray();
        return redis.send(Command.of("ZREM", Keys.bells(account), ids))
                .compose(done -> Future.join(followees.stream()
                        .map(followee -> graph.settleBell(account, followee.accountId(), followee.edgeId()))
                        .toList()))
                .compose(done -> Future.join(followees.stream()
                        .map(followee -> graph.unfollow(account, followee.accountId(), Lane.LOW, ""))
                        .toList()))
                .compose(done -> Future.join(follows.finishUnfollows(account, followees)))
                .mapEmpty();
    }

    private Future<Void> delete(long account, long id) {
        return statuses.delete(account, id)
                .compose(deleted -> deleted.isEmpty()
                        ? Future.succeededFuture()
                        : Future.join(sideEffects.tryToTakeBack(deleted.get()), endPoll(deleted.get()))
                                .mapEmpty());
    }

    /** Nobody is told that it has ended; its job would wait for that. */
    private Future<Void> endPoll(Status deleted) {
        if (deleted.post().content().poll() == null) {
            return Future.succeededFuture();
        }
        Job end = new Job.EndPoll(deleted.authorId(), deleted.id(), 0);
        return redis.send(Command.of("ZREM", Keys.timers(Id.shard(deleted.id())), JobCodec.encode(end)))
                .mapEmpty();
    }

    /** Direct messages from before they were listed with the comments are found here. */
    private Future<Void> leave(long account, List<Edge> edges) {
        List<Long> ids = edges.stream().map(Edge::accountId).toList();
        return conversations
                .statuses(account, ids)
                .compose(messages -> Future.join(
                        messages.stream().map(id -> delete(account, id)).toList()))
                .compose(done -> Future.join(ids.stream()
                        .map(id -> conversations
                                .drop(account, id)
                                .recover(cause -> cause instanceof Refusal
                                        ? Future.succeededFuture()
                                        : Future.failedFuture(cause)))
                        .toList()))
                .mapEmpty();
    }

    private Future<Step> archived(long account, long below) {
        return below <= 1
                ? Future.succeededFuture(Step.DONE)
                : statuses.archived().older(List.of(account), below, PAGE).compose(range -> Future.join(
                                range.ids().stream()
                                        .map(id -> delete(account, id))
                                        .toList())
                        .map(done -> range.bound() == 0 ? Step.DONE : Step.at(range.bound() + 1)));
    }

    private Future<Step> end(long account, String name, Reply email) {
        List<Command> lists = new ArrayList<>(Directory.left(account));
        lists.add(UsernameIndex.remove(name, account));
        lists.add(Command.of("ZREM", Keys.TREND_SUSPENDED, account));
        lists.addAll(SignUpNetworks.left(account));
        lists.add(Invitations.left(account));
        lists.add(Roles.left(account));
        lists.addAll(Restrictions.left(account));
        if (!email.isNil()) {
            lists.add(freed(email.asString(), account));
        }
        return redis.send(Command.of("GET", Keys.addressChange(account)))
                .compose(change -> {
                    Change.of(change).ifPresent(former -> lists.add(freed(former.address(), account)));
                    return warnings.all(account);
                })
                .compose(warned -> {
                    lists.add(Appeals.left(account, warned));
                    return BatchedPipeline.send(redis, lists);
                })
                .compose(done -> redis.send(ERASE.call(keys(account), account, parts.size())))
                // What has come meanwhile goes with the next step.
                .map(erased -> erased.asLong() == 1 ? Step.DONE : Step.at(BEGIN));
    }

    private static Command freed(String address, long account) {
        return DROP_CLAIM.call(List.of(Keys.email(address)), account, "");
    }

    private List<String> keys(long account) {
        int shard = Id.shard(account);
        List<String> sides =
                parts.stream().map(part -> part.set().apply(account)).toList();
        List<String> keys = new ArrayList<>(List.of(
                Keys.user(account),
                Keys.archived(shard),
                Keys.archiveDue(shard),
                Keys.pulledAuthors(shard),
                Keys.mediaDue(shard),
                Keys.uploads(account)));
        List<String> rest = new ArrayList<>(KeyShape.keysOf(account));
        rest.removeAll(keys);
        rest.removeAll(sides);
        keys.addAll(sides);
        keys.addAll(rest);
        return keys;
    }
}
