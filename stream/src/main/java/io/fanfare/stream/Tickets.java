package io.fanfare.stream;

import io.fanfare.common.auth.Secrets;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.Redis;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/**
 * Tickets: what a browser's EventSource shows in an address instead of an access token, since it cannot set headers. One ticket opens one stream, within {@link #LIFE}; it is
 * kept under its digest, with the token it stands for.
 */
final class Tickets {
    static final Duration LIFE = Duration.ofSeconds(30);

    private final Redis redis;
    private final SecureRandom random;

    Tickets(Redis redis, SecureRandom random) {
        this.redis = redis;
        this.random = random;
    }

    /** @param tag what the ticket begins with */
    Future<String> issue(String token, String tag) {
        String ticket = tag + "-" + Secrets.draw(random, 24);
        return redis.send(Command.of("SET", Keys.ticket(Secrets.digest(ticket)), token, "EX", LIFE.toSeconds()))
                .map(ticket);
    }

    /** The token that it stands for, once; empty when it has been used, is too old, or never was. */
    Future<Optional<String>> redeem(String ticket) {
        return redis.send(Command.of("GETDEL", Keys.ticket(Secrets.digest(ticket))))
                .map(token -> token.isNil() ? Optional.empty() : Optional.of(token.asString()));
    }
}
