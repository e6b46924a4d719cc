package io.fanfare.server.http;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Identifies the caller: reads the bearer token of a request and has it verified. Confined to one event loop. */
public final class Authentication {
    private static final String BEARER = "Bearer ";

    private static final String BASIC = "Basic ";

    private final Tokens tokens;

    public Authentication(Tokens tokens) {
        this.tokens = tokens;
    }

    /** The token of the {@code Authorization} header; null when there is none. */
    public static String bearer(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return null;
        }
        String token = header.substring(BEARER.length()).strip();
        return token.isEmpty() ? null : token;
    }

    /** Whether the {@code Authorization} header has a user name and a password (RFC 7617), right or wrong. */
    public static boolean saysBasic(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, BASIC, 0, BASIC.length());
    }

    /**
     * The two as they stand in it, with a colon between; empty when they are not encoded as base64 encodes them, with
     * or without its padding.
     */
    public static String basic(HttpServerRequest request) {
        String given = request.getHeader(HttpHeaders.AUTHORIZATION)
                .substring(BASIC.length())
                .strip();
        try {
            byte[] pair = Base64.getDecoder().decode(given);
            boolean exact = Base64.getEncoder().encodeToString(pair).equals(given)
                    || Base64.getEncoder().withoutPadding().encodeToString(pair).equals(given);
            return exact ? new String(pair, StandardCharsets.UTF_8) : "";
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    /**
     * The owner of the token; null for a request without a token. A request with a bad token is refused rather than
     * taken for anonymous.
     */
    public Future<Principal> identify(String token) {
        return token == null ? Future.succeededFuture() : tokens.verify(token);
    }

    /** Refuses a principal that is null, that is an app where a user is due, or whose token lacks the scope. */
    public static Principal require(Principal principal, boolean user, String scope) {
        if (principal == null) {
            throw new Refusal(
                    Refusal.Reason.UNAUTHENTICATED,
                    "The access token is missing: send it as Authorization: Bearer <token>.");
        }
        if (user && principal.userId() == 0) {
            // 422 as in Mastodon.
            throw new Refusal(
                    Refusal.Reason.INVALID, "This method requires an authenticated user: log in with a user's token.");
        }
        if (!scope.isEmpty() && !principal.allows(scope)) {
            throw new Refusal(
                    Refusal.Reason.FORBIDDEN,
                    "This action is outside the authorized scopes: ask for a token with " + scope + ".");
        }
        return principal;
    }
}
