package io.fanfare.api.oauth;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Scopes;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Authorization codes (RFC 6749, 4.1): good for ten minutes and for one exchange. Redis holds a code's digest only, so
 * that who can read the data cannot use it. Confined to one event loop.
 */
public final class AuthorizationCodes {
    private static final int LIFE_SECONDS = 600;
    private static final int PARTS = 6;
    private static final String REPLAYED = "replayed";

    private static final Script REDEEM = Script.load("redeem_code");

    private final Redis redis;
    private final SecureRandom random;

    public AuthorizationCodes(Redis redis, SecureRandom random) {
        this.redis = redis;
        this.random = random;
    }

    /**
     * The approval of a user.
     *
     * @param login the password used; a change of the password withdraws the approval
     * @param redirectUri where the code was sent to; without line breaks
     * @param challenge S256 challenge of PKCE (RFC 7636); empty = none
     */
    public record Approval(Login login, String clientId, String redirectUri, Set<String> scopes, String challenge) {
        public Approval {
            scopes = Set.copyOf(scopes);
        }

        /**
         * Whether the exchange proves that it comes from the client that began: a verifier where there was no challenge
         * proves nothing and is refused as well.
         */
        public boolean isProvenBy(String verifier) {
            return challenge.isEmpty() ? verifier.isEmpty() : isEqual(s256(verifier), challenge);
        }
    }

    /** A new code. */
    public Future<String> issue(Approval approval) {
        String code = Secrets.draw(random, 32);
        String stored = String.join(
                "\n",
                Long.toString(approval.login().userId()),
                Long.toString(approval.login().passwordRev()),
                approval.clientId(),
                approval.redirectUri(),
                String.join(" ", approval.scopes()),
                approval.challenge());
        return redis.send(Command.of("SET", key(code), stored, "EX", LIFE_SECONDS))
                .map(code);
    }

    /**
     * Redeems the code, once: a second caller gets nothing, as for an unknown code. For another app than its own the
     * code counts as unknown: nothing of it changes, and no token ends.
     *
     * @param tokenId of the token that will be issued for it
     * @param clientId of the app that presents it, whose secret was right
     */
    public Future<Redeemed> redeem(String code, String tokenId, String clientId) {
        return redis.send(REDEEM.call(List.of(key(code)), tokenId, clientId)).map(AuthorizationCodes::redeemed);
    }

    /** Whether the code came again after it was redeemed. */
    public Future<Boolean> isReplayed(String code) {
        return redis.send(Command.of("GET", key(code)))
                .map(stored -> stored.asString() != null && stored.asString().startsWith(REPLAYED));
    }

    /**
     * The result of presenting a code.
     *
     * @param approval behind the code; empty for an unknown code and one that has been redeemed before
     * @param stolen token that was issued for it the first time: two have the code, so it is worth nothing any more
     *     (RFC 6749, 4.1.2)
     */
    public record Redeemed(Optional<Approval> approval, Optional<Stolen> stolen) {}

    /** A token by the names that it is listed under. */
    public record Stolen(long userId, String tokenId) {}

    private static Redeemed redeemed(Reply reply) {
        String stored = reply.asString();
        if (stored != null && stored.startsWith(REPLAYED)) {
            String[] parts = stored.split("\n", -1);
            return new Redeemed(Optional.empty(), Optional.of(new Stolen(Long.parseLong(parts[1]), parts[2])));
        }
        return new Redeemed(Optional.ofNullable(stored).map(AuthorizationCodes::approval), Optional.empty());
    }

    private static Approval approval(String stored) {
        String[] parts = stored.split("\n", PARTS);
        if (parts.length < PARTS) {
            return null; // Issued before codes named the password: worth nothing.
        }
        Login login = new Login(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        return new Approval(login, parts[2], parts[3], Scopes.parse(parts[4]), parts[5]);
    }

    private static String key(String code) {
        return Keys.authorizationCode(Secrets.digest(code));
    }

    private static String s256(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
