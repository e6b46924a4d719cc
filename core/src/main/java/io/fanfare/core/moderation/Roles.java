package io.fanfare.core.moderation;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Role;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Owns {@link Keys#MODERATION_ROLES}, the roles of the accounts that have one. This key alone decides what an account
 * may do. The field {@code role} of an account is a copy, so that an answer which shows the account needs no further
 * read; it is written behind the key, and again by each repetition.
 */
public final class Roles {
    /** Accounts with a role. */
    public static final int MAX = 1000;

    private static final Script SET = Script.load("role_set");
    private static final Script COPY = Script.load("role_copy");

    private final Redis redis;
    private final ModerationLog log;

    public Roles(Redis redis, ModerationLog log) {
        this.redis = redis;
        this.log = log;
    }

    /** The role of an account. */
    public Future<Role> of(long account) {
        return of(List.of(account)).map(roles -> roles.get(0));
    }

    /** The role of an account; fails with {@code Refusal(FORBIDDEN)} when it lacks the {@link Role.Permission}. */
    public Future<Role> require(long account, int permission) {
        return of(account).map(role -> check(role, permission));
    }

    /** The same of a role that was read; throws. */
    public static Role check(Role role, int permission) {
        if (!role.may(permission)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    role == Role.USER
                            ? "This action is not allowed: it needs the role of a moderator, which an operator gives."
                            : "This action is not allowed: your role lacks the permission for it.");
        }
        return role;
    }

    /** The roles of these accounts, in their order. One command. */
    public Future<List<Role>> of(List<Long> accounts) {
        return redis.send(Command.of("HMGET", Keys.MODERATION_ROLES, accounts.toArray()))
                .map(reply -> reply.items().stream()
                        .map(Reply::asString)
                        .map(Role::stored)
                        .toList());
    }

    /** All accounts that have a role, by their ids. */
    public Future<Map<Long, Role>> all() {
        return redis.send(Command.of("HGETALL", Keys.MODERATION_ROLES)).map(reply -> {
            Map<Long, Role> all = new TreeMap<>();
            List<Reply> flat = reply.items();
            for (int i = 0; i < flat.size(); i += 2) {
                all.put(flat.get(i).asLong(), Role.stored(flat.get(i + 1).asString()));
            }
            return all;
        });
    }

    /**
     * Gives an account a role and logs it, in one step; answers the role before. Fails with {@code Refusal(FORBIDDEN)}
     * when an account acts that may not, and with {@code Refusal(INVALID)} when no owner would be left, or when
     * {@link #MAX} accounts have a role. An operator may do everything.
     *
     * @param act on an account that exists
     */
    public Future<Role> set(Act act, Role role) {
        List<Object> arguments =
                new ArrayList<>(List.of(act.account(), role.label(), act.actor().account(), MAX, log.max()));
        arguments.addAll(act.withDetail(role.label()).fields());
        return redis.sendSafely(SET.call(List.of(Keys.MODERATION_ROLES, Keys.MODERATION_LOG), arguments.toArray()))
                .map(reply -> before(reply.asString()))
                .compose(before -> redis.send(COPY.call(List.of(Keys.user(act.account())), role.label()))
                        .map(before));
    }

    private static Role before(String answer) {
        return switch (answer) {
            case "rank" ->
                throw new Refusal(
                        Reason.FORBIDDEN,
                        "This action is not allowed: your role does not reach that far. An admin makes moderators, and"
                                + " an owner makes all roles; nobody raises their own.");
            case "last" ->
                throw new Refusal(
                        Reason.INVALID, "This is the only owner of this server: make another account an owner first.");
            case "full" ->
                throw new Refusal(Reason.INVALID, MAX + " accounts have a role, which is the most that is allowed.");
            default -> Role.stored(answer);
        };
    }

    /** The step of a deletion that takes an account out; harmless when it is not there. */
    public static Command left(long account) {
        return Command.of("HDEL", Keys.MODERATION_ROLES, account);
    }
}
