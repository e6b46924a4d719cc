package io.fanfare.core.moderation;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Edges;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.graph.Follows;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Limits accounts and marks them as sensitive. The field of the account decides. The lists follow the field, and each
 * repetition writes them again. See docs/operate/moderation.md for what a restriction does.
 */
public final class Restrictions {
    /** The newest posts of an account that leave the public timelines, and come back. */
    private static final int POSTS_MAX = 1000;

    private static final int PAGE = 100;

    /** Times that the lists are written when the field keeps changing. */
    private static final int TURNS_MAX = 3;

    private static final Script RESTRICT = Script.load("restrict");

    /** A restriction by a moderator. */
    public enum Kind {
        /** The account is shown to those who follow it or look for it. */
        LIMITED(Keys.LIMITED_ACCOUNTS),
        /** Each new post of the account is sensitive. */
        SENSITIZED(Keys.SENSITIZED_ACCOUNTS);

        private final String field = name().toLowerCase(Locale.ROOT);
        private final String list;

        Kind(String list) {
            this.list = list;
        }
    }

    @FunctionalInterface
    private interface Listing {
        Future<Void> of(Collection<Status> posts);
    }

    private final Redis redis;
    private final Statuses statuses;
    private final PublicTimelines publicTimelines;
    private final Follows follows;

    public Restrictions(Redis redis, Statuses statuses, PublicTimelines publicTimelines, Follows follows) {
        this.redis = redis;
        this.statuses = statuses;
        this.publicTimelines = publicTimelines;
        this.follows = follows;
    }

    /**
     * Restricts an account, or lifts the restriction; whether that has changed anything. Fails with
     * {@code Refusal(NOT_FOUND)} when there is no such account.
     */
    public Future<Boolean> set(long account, Kind kind, boolean on) {
        return set(account, kind, on, "");
    }

    /**
     * The same for an act on a selection of accounts, or for its undo: whether the act has changed the account so, now
     * or in an earlier run. An undo lifts what its own act has set, and nothing about which another act has decided
     * since; an account that a later act has reached stays as it is.
     *
     * @param act number of the selection, higher than that of each earlier one
     */
    public Future<Boolean> set(long account, Kind kind, boolean on, long act) {
        return set(account, kind, on, Long.toString(act));
    }

    private Future<Boolean> set(long account, Kind kind, boolean on, String act) {
        return redis.send(RESTRICT.call(List.of(Keys.user(account)), "", kind.field, on ? "1" : "0", act))
                .map(Reply::asLong)
                .compose(changed -> changed < 0
                        ? Future.failedFuture(Refusal.unknown())
                        // The lists are also written when nothing has changed: the process that has changed the field
                        // may have died before it wrote them.
                        : relist(account, kind).map(changed == 1));
    }

    /** Writes the lists of a restriction as the account stands now. */
    Future<Void> relist(long account, Kind kind) {
        return isSet(account, kind).compose(on -> list(account, kind, on, TURNS_MAX));
    }

    private Future<Boolean> isSet(long account, Kind kind) {
        return redis.send(Command.of("HEXISTS", Keys.user(account), kind.field)).map(field -> field.asLong() == 1);
    }

    /** Writes the lists, and again if the field has changed meanwhile: two moderators may act at once. */
    private Future<Void> list(long account, Kind kind, boolean on, int turns) {
        Command entry = on ? Command.of("ZADD", kind.list, account, account) : Command.of("ZREM", kind.list, account);
        return redis.send(entry)
                .compose(done -> kind == Kind.LIMITED ? listPosts(account, on) : nothing())
                .compose(done -> isSet(account, kind))
                .compose(now -> now == on || turns == 1 ? nothing() : list(account, kind, now, turns - 1));
    }

    private Future<Void> listPosts(long account, boolean limited) {
        return redis.send(Command.of("ZRANGE", Keys.profile(account), 0, POSTS_MAX - 1, "REV"))
                .compose(ids -> each(Statuses.longs(ids), limited ? publicTimelines::remove : publicTimelines::add))
                .compose(done -> limited ? nothing() : finishRequests(account, 0));
    }

    private static Future<Void> nothing() {
        return Future.succeededFuture();
    }

    /** Requests to accounts that are not locked become follows. A chain as long as pages of requests. */
    private Future<Void> finishRequests(long account, long after) {
        return redis.send(Edges.upward(Keys.requesting(account), after, Id.MAX, PAGE))
                .map(Edges::of)
                .compose(page -> Future.join(page.stream()
                                .map(request -> follows.finishRequest(account, request.accountId(), request.edgeId()))
                                .toList())
                        .compose(done -> page.size() < PAGE
                                ? nothing()
                                : finishRequests(account, page.get(PAGE - 1).edgeId())));
    }

    /** A chain of {@value #POSTS_MAX} / {@value #PAGE} steps. */
    private Future<Void> each(List<Long> ids, Listing listing) {
        if (ids.isEmpty()) {
            return Future.succeededFuture();
        }
        int end = Math.min(PAGE, ids.size());
        return statuses.load(ids.subList(0, end))
                .compose(living -> listing.of(living.values()))
                .compose(done -> each(ids.subList(end, ids.size()), listing));
    }

    /** The steps of a deletion that take an account out of the lists; harmless when it is not there. */
    public static List<Command> left(long account) {
        return List.of(
                Command.of("ZREM", Keys.SUSPENDED_ACCOUNTS, account),
                Command.of("ZREM", Keys.LIMITED_ACCOUNTS, account),
                Command.of("ZREM", Keys.SENSITIZED_ACCOUNTS, account));
    }
}
