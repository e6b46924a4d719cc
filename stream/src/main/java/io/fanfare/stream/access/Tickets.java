package io.fanfare.stream.access;

import io.fanfare.common.auth.Secrets;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/**
 * Tickets: what a browser's EventSource shows in an address instead of an access token, since it cannot set headers.
 * One ticket opens one stream, within {@link #LIFE}; it is kept under its digest, with what it stands for: the id of
 * the token and what that says, signed, so that neither the ticket nor the token can be had from Redis or its files,
 * and who could write there could not make one. Confined to one event loop.
 */
public final class Tickets {
    public static final Duration LIFE = Duration.ofSeconds(30);

    private final Redis redis;
    private final TicketCookie signed;
    private final SecureRandom random;

    Tickets(Redis redis, TicketCookie signed, SecureRandom random) {
        this.redis = redis;
        this.signed = signed;
        this.random = random;
    }

    Future<String> issue(StreamAdmission.Listener listener) {
        String ticket = TicketCookie.tag(listener.principal()) + "-" + Secrets.draw(random, 24);
        return redis.send(Command.of(
                        "SET", Keys.ticket(Secrets.digest(ticket)), signed.record(listener), "EX", LIFE.toSeconds()))
                .map(ticket);
    }

    /**
     * Uses the ticket and returns its owner; empty when it has been used, is too old, or never was. The token may have
     * been revoked since.
     */
    Future<Optional<StreamAdmission.Listener>> redeem(String ticket) {
        return redis.send(Command.of("GETDEL", Keys.ticket(Secrets.digest(ticket))))
                .map(record -> record.isNil() ? Optional.empty() : signed.readRecord(record.asString()));
    }
}
