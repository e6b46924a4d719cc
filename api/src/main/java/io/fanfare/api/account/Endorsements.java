package io.fanfare.api.account;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.Edges;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns {@code endorsed} keys: the accounts that others recommend on their profiles. One recommends whom one follows: an
 * entry has the edge of the follow, and ends with it in the same script.
 */
public final class Endorsements {
    /** Accounts that one may recommend. */
    public static final int MAX = 100;

    private static final Script ENDORSE = Script.load("endorse");

    private final Redis redis;

    public Endorsements(Redis redis) {
        this.redis = redis;
    }

    /**
     * Recommends an account; one that is recommended stays so. Refuses one that is not followed and more than
     * {@link #MAX} ({@code INVALID}, in the words of Mastodon), and an account that is not active ({@code FORBIDDEN}).
     */
    public Future<Void> endorse(long account, long recommended) {
        List<String> keys = List.of(Keys.user(account), Keys.following(account), Keys.endorsed(account));
        return redis.send(ENDORSE.call(keys, recommended, MAX)).compose(Endorsements::endorsed);
    }

    private static Future<Void> endorsed(Reply answer) {
        return switch (answer.items().get(0).asString()) {
            case "new", "same" -> Future.succeededFuture();
            case "unfollowed" ->
                refuse(
                        Reason.INVALID,
                        "Validation failed: You must be already following the person you want to endorse");
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot do that.");
            case "full" ->
                refuse(
                        Reason.INVALID,
                        "Validation failed: You recommend " + MAX
                                + " accounts, which is the most that is allowed: take one back first.");
            default -> throw new IllegalStateException("endorse answered " + answer);
        };
    }

    private static Future<Void> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /** Recommends an account no more; does nothing when it is not recommended. */
    public Future<Void> unendorse(long account, long recommended) {
        return redis.sendSafely(Command.of("ZREM", Keys.endorsed(account), recommended))
                .mapEmpty();
    }

    /** The accounts that an account recommends, by the edges of its follows, newest first; a page may be short. */
    public Future<Page<Edge>> of(long account, PageRequest page) {
        return Edges.page(redis, Keys.endorsed(account), page).compose(read -> standing(account, read));
    }

    /** Without what an unfollow by a process of an older version has left. */
    private Future<Page<Edge>> standing(long account, Page<Edge> page) {
        List<Edge> entries = page.items();
        if (entries.isEmpty()) {
            return Future.succeededFuture(page);
        }
        Object[] accounts = entries.stream().map(Edge::accountId).toArray();
        return redis.send(Command.of("ZMSCORE", Keys.following(account), accounts))
                .map(edges -> {
                    List<Edge> standing = new ArrayList<>(entries.size());
                    for (int i = 0; i < entries.size(); i++) {
                        Reply edge = edges.items().get(i);
                        if (!edge.isNil() && edge.asLong() == entries.get(i).edgeId()) {
                            standing.add(entries.get(i));
                        }
                    }
                    return new Page<>(standing, page.next(), page.prev());
                });
    }
}
