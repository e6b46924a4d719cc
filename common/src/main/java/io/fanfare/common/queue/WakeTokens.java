package io.fanfare.common.queue;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Puts tokens into the list that workers wait on, for all shards that got work in one turn of the event loop with one
 * command: each of them once, since one token suffices. Lives on the event loop of its link; {@link #wake} may be
 * called from anywhere.
 */
public final class WakeTokens {
    /** Tokens kept at most: more say nothing new. */
    private static final int TOKENS_MAX = 1024;

    private final Redis redis;
    private final Set<Integer> shards = new LinkedHashSet<>();
    private Promise<Void> next = Promise.promise();

    public WakeTokens(Redis redis) {
        this.redis = redis;
    }

    /** Complete when the token lies in the list. */
    public Future<Void> wake(int shard) {
        Promise<Void> mine = Promise.promise();
        redis.afterTurn(() -> add(shard, mine));
        return mine.future();
    }

    private void add(int shard, Promise<Void> mine) {
        next.future().onComplete(mine);
        shards.add(shard);
        if (shards.size() == 1) {
            redis.afterTurn(this::send);
        }
    }

    private void send() {
        List<Object> tokens = new ArrayList<>(shards);
        Promise<Void> sent = next;
        shards.clear();
        next = Promise.promise();
        redis.pipeline(List.of(
                        Command.of("LPUSH", Keys.WAKE, tokens.toArray()),
                        Command.of("LTRIM", Keys.WAKE, 0, TOKENS_MAX - 1)))
                .<Void>mapEmpty()
                .onComplete(sent);
    }
}
