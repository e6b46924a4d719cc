package io.fanfare.common.auth;

import io.fanfare.common.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Set;

/**
 * Access tokens: JWT (HS256, {@code typ} at+jwt, {@code iss} fanfare, {@code aud} fanfare, {@code jti}, {@code sub}, {@code scope}, {@code client_id}), listed in
 * {@code tokens:{s}:u} so that they can be revoked; a revoked one is refused within a second everywhere.
 */
public final class Tokens {
    public Tokens(Vertx vertx, RedisLink redis, byte[] signingKey, Clock clock, SecureRandom random) {
        throw new UnsupportedOperationException();
    }

    /** A new token; {@code userId} 0 = for the app itself. */
    public Future<String> issue(long userId, String clientId, String clientName, Set<String> scopes) {
        throw new UnsupportedOperationException();
    }

    /** Who it is; fails with {@code Refusal(UNAUTHENTICATED)} for a token that is forged, expired or revoked. */
    public Future<Principal> verify(String token) {
        throw new UnsupportedOperationException();
    }

    public Future<Void> revoke(Principal principal) {
        throw new UnsupportedOperationException();
    }
}
