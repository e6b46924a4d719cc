package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Owns {@code muted-conversations} keys: of which conversations accounts want to hear no more, by the status with which
 * each began. The {@value #MAX} that were muted last stay, since nobody looks through old ones to take them off; so few
 * are read whole with whatever shows them.
 */
public final class MutedConversations {
    /** Conversations that an account mutes at most. */
    public static final int MAX = 200;

    private static final Script MUTE = Script.load("mute_conversation");

    private final Redis redis;

    public MutedConversations(Redis redis) {
        this.redis = redis;
    }

    /** Mutes the conversation that began with a status. Refuses an account that is not active ({@code FORBIDDEN}). */
    public Future<Void> mute(long account, long conversation) {
        int shard = Id.shard(account);
        List<String> keys = List.of(Keys.user(account), Keys.mutedConversations(account), Keys.ids(shard));
        return redis.send(MUTE.call(keys, Script.CHECKED_NOW, shard, conversation, MAX))
                .compose(edge -> edge.asLong() == 0
                        ? Future.failedFuture(new Refusal(Reason.FORBIDDEN, "This account cannot do that."))
                        : Future.succeededFuture());
    }

    /** Does nothing when it is not muted. */
    public Future<Void> unmute(long account, long conversation) {
        return redis.sendSafely(Command.of("ZREM", Keys.mutedConversations(account), conversation))
                .mapEmpty();
    }

    /** Reads those of an account; {@link #of(Reply)} understands the answer. */
    static Command read(long account) {
        return Command.of("ZRANGE", Keys.mutedConversations(account), 0, MAX - 1);
    }

    /** The same, to be kept while Redis watches them. */
    public static Command watch(long account) {
        return Command.tracked("ZRANGE", Keys.mutedConversations(account), 0, MAX - 1);
    }

    /** The statuses with which they began. */
    public static Set<Long> of(Reply reply) {
        return reply.items().isEmpty() ? Set.of() : new HashSet<>(Statuses.longs(reply));
    }
}
