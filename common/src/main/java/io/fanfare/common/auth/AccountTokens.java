package io.fanfare.common.auth;

import io.fanfare.common.auth.Tokens.Listed;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The tokens of accounts as an operator sees them, who has none of them. One event loop. */
public final class AccountTokens {
    private final Redis redis;

    public AccountTokens(Redis redis) {
        this.redis = redis;
    }

    /** Every token of a user, newest first. */
    public Future<List<Listed>> list(long userId) {
        return list(redis, Keys.tokens(userId));
    }

    static Future<List<Listed>> list(Redis redis, String key) {
        return redis.send(Command.of("HGETALL", key)).map(reply -> {
            List<Listed> tokens = new ArrayList<>();
            List<Reply> flat = reply.items();
            for (int i = 0; i < flat.size(); i += 2) {
                tokens.add(Tokens.listed(flat.get(i).asString(), flat.get(i + 1).asString()));
            }
            tokens.sort(Comparator.comparing(Listed::issuedAt).reversed());
            return List.copyOf(tokens);
        });
    }

    /**
     * Ends all sessions of a user: every token is refused within a second, and its streams end. The password stays. How
     * many tokens there were, about, if others come and go meanwhile.
     */
    public Future<Long> revokeAll(long userId) {
        String key = Keys.tokens(userId);
        return redis.send(Command.of("HLEN", key))
                .compose(count -> redis.send(Command.of("UNLINK", key)).map(count.asLong()))
                .compose(count ->
                        new Revocations(redis).tell(key).otherwiseEmpty().map(count));
    }
}
