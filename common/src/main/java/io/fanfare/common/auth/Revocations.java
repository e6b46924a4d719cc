package io.fanfare.common.auth;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;

/**
 * Which lists of tokens have lost some, in the order of the word of it: what is open with a token goes by it, so that
 * nobody has to ask about every token all the time. The word comes after the loss and in another slot, so it may be
 * missing when a process died between the two. Confined to one event loop.
 */
public final class Revocations {
    private static final int KEPT_MAX = 10_000;
    private static final int PAGE = 500;
    private static final String NONE = "0-0";

    private static final Script ANNOUNCE = Script.load("tell_revoked");
    private static final Script SWEEP = Script.load("push_sweep");

    private final Redis redis;

    public Revocations(Redis redis) {
        this.redis = redis;
    }

    /**
     * A run of them.
     *
     * @param lists keys of lists; one may be there more than once
     * @param upTo where to read on
     * @param last whether there was nothing more
     */
    public record Page(List<String> lists, String upTo, boolean last) {}

    /** Announces that the list has lost a token or more. */
    Future<Void> announce(String list) {
        return redis.send(ANNOUNCE.call(List.of(Keys.REVOKED), list, KEPT_MAX)).mapEmpty();
    }

    /**
     * Announces that a user has lost a token or more, and deletes the push subscriptions of lost tokens with their
     * secrets. The subscriptions of a suspended account stay until the suspension is lifted.
     */
    public Future<Void> announceAll(long userId) {
        List<String> keys = List.of(Keys.push(userId), Keys.tokens(userId));
        return Future.join(announce(Keys.tokens(userId)), redis.send(SWEEP.call(keys)))
                .mapEmpty();
    }

    /** The place from which to read new revocations. */
    public Future<String> newest() {
        return redis.send(Command.of("XREVRANGE", Keys.REVOKED, "+", "-", "COUNT", 1))
                .map(reply ->
                        reply.items().isEmpty() ? NONE : place(reply.items().get(0)));
    }

    /** The revocations published after a place. */
    public Future<Page> after(String place) {
        return redis.send(Command.of("XRANGE", Keys.REVOKED, "(" + place, "+", "COUNT", PAGE))
                .map(reply -> page(place, reply.items()));
    }

    private static Page page(String place, List<Reply> entries) {
        List<String> lists = entries.stream()
                .map(entry -> entry.items().get(1).items().get(1).asString())
                .toList();
        String upTo = entries.isEmpty() ? place : place(entries.get(entries.size() - 1));
        return new Page(lists, upTo, entries.size() < PAGE);
    }

    private static String place(Reply entry) {
        return entry.items().get(0).asString();
    }
}
