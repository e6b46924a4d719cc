package io.fanfare.api.post;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.ArchivedStatuses;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;

/**
 * Owns {@code pins} keys: which of their own statuses accounts show above all others of their profile. Deleting a
 * status unpins it, in the same script. An archived one is put back into Redis to be pinned, and stays pinned when it
 * leaves again.
 */
public final class Pins {
    /** Statuses that an account may pin, as many as in Mastodon. */
    public static final int MAX = 5;

    private static final Script PIN = Script.load("pin");
    private static final String OTHERS = "Validation failed: Someone else's post cannot be pinned";

    private final Redis redis;
    private final ArchivedStatuses archived;
    private final Statuses statuses;

    public Pins(Redis redis, ArchivedStatuses archived, Statuses statuses) {
        this.redis = redis;
        this.archived = archived;
        this.statuses = statuses;
    }

    /**
     * Pins a status; one that is pinned stays where it is. Refuses somebody else's, a repost, a direct message, and
     * more than {@link #MAX} ({@code INVALID}, in the words of Mastodon), an account that is not active
     * ({@code FORBIDDEN}), and one that is not there ({@code UNKNOWN}).
     */
    public Future<Void> pin(long author, long status) {
        if (Id.shard(author) != Id.shard(status)) {
            return refuse(Reason.INVALID, OTHERS); // The script must not name keys of two slots.
        }
        return tried(author, status)
                .compose(reply -> isFull(reply)
                        ? unpinGone(author)
                                .compose(unpinned -> unpinned ? tried(author, status) : Future.succeededFuture(reply))
                        : Future.succeededFuture(reply))
                .compose(Pins::pinned);
    }

    private Future<Reply> tried(long author, long status) {
        return archived.write(status, () -> pinHere(author, status), Reply::isNil);
    }

    private static boolean isFull(Reply reply) {
        return !reply.isNil() && reply.items().get(0).asString().equals("full");
    }

    /** Whether there were any: a process of a version without pins deletes a status and leaves its pin. */
    private Future<Boolean> unpinGone(long author) {
        return of(author)
                .compose(pinned -> statuses.reachable(pinned, Redis.NOW).compose(read -> {
                    List<Long> gone = pinned.stream()
                            .filter(id -> !read.living().containsKey(id)
                                    && !read.unreachable().contains(id))
                            .toList();
                    if (gone.isEmpty()) {
                        return Future.succeededFuture(false);
                    }
                    return redis.sendSafely(Command.of("ZREM", Keys.pins(author), gone.toArray()))
                            .map(true);
                }));
    }

    private Future<Reply> pinHere(long author, long status) {
        int shard = Id.shard(author);
        List<String> keys = List.of(Keys.user(author), Keys.status(status), Keys.pins(author), Keys.ids(shard));
        return redis.send(PIN.call(keys, Script.CHECKED_NOW, shard, author, status, MAX));
    }

    private static Future<Void> pinned(Reply reply) {
        if (reply.isNil()) {
            return Future.failedFuture(Refusal.unknown());
        }
        String answer = reply.items().get(0).asString();
        return switch (answer) {
            case "new", "same" -> Future.succeededFuture();
            case "gone" -> Future.failedFuture(Refusal.unknown());
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot do that.");
            case "other" -> refuse(Reason.INVALID, OTHERS);
            case "repost" -> refuse(Reason.INVALID, "Validation failed: A boost cannot be pinned");
            case "direct" -> refuse(Reason.INVALID, "Validation failed: A direct message cannot be pinned");
            case "full" ->
                refuse(
                        Reason.INVALID,
                        "Validation failed: You have already pinned the maximum number of posts: unpin one of the "
                                + MAX + " first.");
            default -> throw new IllegalStateException("pin answered " + answer);
        };
    }

    private static Future<Void> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /** Does nothing when it is not pinned. */
    public Future<Void> unpin(long author, long status) {
        return redis.sendSafely(Command.of("ZREM", Keys.pins(author), status)).mapEmpty();
    }

    /** The pinned statuses of an account, the one pinned last first; some may be hidden from the viewer. */
    public Future<List<Long>> of(long author) {
        return redis.send(Command.of("ZRANGE", Keys.pins(author), 0, MAX - 1, "REV"))
                .map(Statuses::longs);
    }
}
