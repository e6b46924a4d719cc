package io.fanfare.common.auth;

import io.fanfare.common.auth.Tokens.Listed;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.queue.Lane;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Access to an account, as an operator sees and changes it, who has none of its tokens. A revoked token is refused
 * within a second everywhere, and its streams end; within a minute, should this process die right after the change. One
 * event loop.
 */
public final class AccountAccess {
    /** Before the id of a token of a suspended account; ids do not begin so. */
    static final String SUSPENDED = "!";

    /** The same of an account that waits for approval, see {@code issue_token.lua}. */
    static final String APPLIED = "?";

    /** Behind these, of an account whose address has to be confirmed first. */
    static final String HELD = "%";

    private static final Pattern MARKS = Pattern.compile("^[!?]?%?");

    /** Suspended accounts whose uses of hashtags do not count: those that were suspended last. */
    private static final int UNCOUNTED_MAX = 200;

    private static final Script SUSPEND = Script.load("suspend");
    private static final Script DELETE = Script.load("delete_account");
    private static final Script RESET_PASSWORD = Script.load("reset_password");

    /** Answers of {@link #DELETE}. */
    private static final int REVOKED = -2;

    private static final int OWNER = -3;

    /**
     * After this time a second job looks for what was under way at the deletion: longer than a token is trusted
     * anywhere.
     */
    private static final Duration LAST_LOOK = Duration.ofMinutes(2);

    private final Redis redis;

    public AccountAccess(Redis redis) {
        this.redis = redis;
    }

    /**
     * Every token of a user, newest first; of a suspended one those that will be good again. Their networks are for
     * their user alone.
     */
    public Future<List<Listed>> list(long userId) {
        return list(redis, Keys.tokens(userId), network -> "");
    }

    /** @param open reads a sealed network */
    static Future<List<Listed>> list(Redis redis, String key, UnaryOperator<String> open) {
        return redis.send(Command.of("HGETALL", key)).map(reply -> {
            List<Listed> tokens = new ArrayList<>();
            List<Reply> flat = reply.items();
            for (int i = 0; i < flat.size(); i += 2) {
                String id = flat.get(i).asString();
                tokens.add(Tokens.listed(
                        MARKS.matcher(id).replaceFirst(""), flat.get(i + 1).asString(), open));
            }
            tokens.sort(Comparator.comparing(Listed::issuedAt).reversed());
            return List.copyOf(tokens);
        });
    }

    /** Ends all sessions of a user. The password stays. How many tokens there were, about, if others come and go. */
    public Future<Long> revokeAll(long userId) {
        String key = Keys.tokens(userId);
        return redis.send(Command.of("HLEN", key))
                .compose(count -> redis.send(Command.of("UNLINK", key)).map(count.asLong()))
                .compose(count -> announceRevoked(userId).map(count));
    }

    /**
     * Suspends an account: nobody is shown it or what it has written, none of its tokens is good, and its password is
     * worth none. Requests to follow, made or received, end. False when it was suspended before; fails with
     * {@code Refusal(NOT_FOUND)} when there is none.
     */
    public Future<Boolean> suspend(long userId) {
        return suspend(userId, "1", "");
    }

    /**
     * The same for an act on a selection of accounts: whether this act has suspended the account, now or in an earlier
     * run. An account that a later act has reached stays as it is.
     *
     * @param act number of the selection, higher than that of each earlier one
     */
    public Future<Boolean> suspend(long userId, long act) {
        return suspend(userId, "1", Long.toString(act));
    }

    /**
     * Lifts a suspension: all of it is as it was before, without requests to follow. False when there was none; fails
     * as {@link #suspend} does.
     */
    public Future<Boolean> unsuspend(long userId) {
        return suspend(userId, "0", "");
    }

    /**
     * Undoes {@link #suspend(long, long)}: whether that is done, now or in an earlier run. An account that this act has
     * not suspended, or about which another act has decided since, stays as it is.
     */
    public Future<Boolean> unsuspend(long userId, long act) {
        return suspend(userId, "0", Long.toString(act));
    }

    private Future<Boolean> suspend(long userId, String suspend, String act) {
        int shard = Id.shard(userId);
        List<String> keys = List.of(
                Keys.user(userId),
                Keys.tokens(userId),
                Keys.requests(userId),
                Keys.requesting(userId),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.NORMAL.key()));
        return redis.send(SUSPEND.call(keys, "", suspend, userId, act))
                .compose(changed -> found(changed.asLong()))
                // Also when it was so before: the process that did it may have died before the notice.
                .compose(changed -> announceRevoked(userId).map(changed == 1))
                .compose(changed -> relist(userId).map(changed));
    }

    /**
     * Updates the list of suspended accounts and the count of hashtags to the state of the account. Never fails: after
     * an error the old state counts for a week.
     */
    public Future<Void> relist(long userId) {
        String key = Keys.TREND_SUSPENDED;
        return redis.send(Command.of("HGET", Keys.user(userId), "suspended"))
                .compose(since -> redis.pipeline(
                        since.isNil()
                                ? List.of(
                                        Command.of("ZREM", key, userId),
                                        Command.of("ZREM", Keys.SUSPENDED_ACCOUNTS, userId))
                                : List.of(
                                        Command.of("ZADD", key, since.asLong(), userId),
                                        Command.of("ZREMRANGEBYRANK", key, 0, -UNCOUNTED_MAX - 1),
                                        Command.of("ZADD", Keys.SUSPENDED_ACCOUNTS, userId, userId))))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    /**
     * Deletes an account for good: from now on nobody is shown it or what it has written, it has no token and no
     * password, and jobs erase what it has. Its name stays its own. False when it was deleted before, which makes sure
     * of the job; fails as {@link #suspend} does.
     */
    public Future<Boolean> delete(long userId) {
        return delete(userId, "");
    }

    /**
     * The same for the account itself; fails with {@code Refusal(UNAUTHENTICATED)} when its token is good no more, and
     * with {@code Refusal(INVALID)} while it is an owner of the site.
     */
    public Future<Boolean> delete(Principal principal) {
        return delete(principal.userId(), principal.tokenId());
    }

    private Future<Boolean> delete(long userId, String tokenId) {
        int shard = Id.shard(userId);
        List<String> keys = List.of(
                Keys.user(userId),
                Keys.tokens(userId),
                Keys.push(userId),
                Keys.mediaDue(shard),
                Keys.timers(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.NORMAL.key()));
        return redis.sendSafely(DELETE.call(keys, "", userId, LAST_LOOK.toMillis(), tokenId))
                .compose(deleted -> deleted(deleted.asLong()))
                .compose(deleted -> announceRevoked(userId).map(deleted == 1));
    }

    private static Future<Long> deleted(long answer) {
        if (answer == REVOKED) {
            return Future.failedFuture(Tokens.refused());
        }
        return answer == OWNER
                ? Future.failedFuture(new Refusal(
                        Refusal.Reason.INVALID,
                        "This account is an owner of this server: give up that role before you delete it."))
                : found(answer);
    }

    /**
     * Gives an account another password and ends all of its sessions: how many there were. Fails as {@link #suspend}
     * does.
     *
     * @param passwordHash see {@code Passwords}
     */
    public Future<Long> resetPassword(long userId, String passwordHash) {
        return redis.send(RESET_PASSWORD.call(List.of(Keys.user(userId), Keys.tokens(userId)), passwordHash))
                .compose(ended -> found(ended.asLong()))
                .compose(ended -> announceRevoked(userId).map(ended));
    }

    private static Future<Long> found(long answer) {
        return answer < 0 ? Future.failedFuture(Refusal.unknown()) : Future.succeededFuture(answer);
    }

    /** Never fails: a process that misses the notice finds out within a minute. */
    private Future<Void> announceRevoked(long userId) {
        return new Revocations(redis).announceAll(userId).otherwiseEmpty();
    }
}
