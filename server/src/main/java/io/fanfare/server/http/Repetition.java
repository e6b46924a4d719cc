package io.fanfare.server.http;

import java.util.Set;

/**
 * The effect of a second request when the answer to the first one is lost, and the sentence for a client that cannot
 * know whether its request was done. An address that nobody has thought of is one at which to look first.
 */
public enum Repetition {
    /** Nothing is changed by it. */
    READ(": try again in a few seconds."),

    /** Once or twice is the same; the second time may say that there is nothing left to do. */
    SAFE(", the request may have been done or not: asking again is safe."),

    /** Twice is the same with an Idempotency-Key alone. */
    KEYED(
            ", the request may have been done or not: repeat it with the same Idempotency-Key, or look before you send it again."),

    /** Makes an account, once. */
    SIGN_UP(
            ", the account may have been made or not: repeat the request with the same Idempotency-Key if it has one, else log in before you sign up again."),

    /** Gives another token each time; codes and refresh tokens are good for one. */
    TOKEN(
            ", a token may have been made or not: ask again, and with a new authorization code where this one is refused then."),

    /** The old password is wrong the second time. */
    PASSWORD(", the password may have been changed or not: log in with the new one before you ask again."),

    /** Twice may be two things, or be refused. */
    UNSAFE(", the request may have been done or not: look before you ask again.");

    private static final Set<String> KEYED_ROUTES = Set.of(
            "/api/v1/statuses", "/api/v1/statuses/:id/comments", "/api/v1/statuses/:id/reblog", "/api/v1/articles");

    private static final Set<String> SIGN_UP_ROUTES = Set.of("/api/v1/accounts", "/api/v1/session/sign_up");

    /** Parts of a path, the last ones, of a POST that sets something to what it is to be. */
    private static final Set<String> SETTERS = Set.of(
            "appeal",
            "approve",
            "authorize",
            "block",
            "bookmark",
            "clear",
            "dismiss",
            "endorse",
            "favourite",
            "feature",
            "follow",
            "markers",
            "mute",
            "note",
            "pin",
            "read",
            "reject",
            "remove_from_followers",
            "revoke",
            "sensitive",
            "subscription",
            "unblock",
            "unbookmark",
            "unendorse",
            "unfavourite",
            "unfeature",
            "unfollow",
            "unmute",
            "unpin",
            "unreblog");

    /** Others: they put accounts on a list, delete a post for a moderator, log in to our own pages. */
    private static final Set<String> OTHER_SETTERS =
            Set.of("/api/v1/lists/:id/accounts", "/api/v1/admin/statuses/:id/delete", "/api/v1/session");

    private static final String AUTHORIZE = "/oauth/authorize";

    private final String sentence;

    Repetition(String sentence) {
        this.sentence = sentence;
    }

    /** The advice for the client, which follows the cause. */
    String sentence() {
        return sentence;
    }

    /**
     * The effect of a second request of this method at a route.
     *
     * @param route its pattern, with {@code :id} and {@code :name}
     */
    public static Repetition of(String method, String route) {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS" -> READ;
            // Keywords without an id are new ones each time.
            case "PUT" -> route.equals("/api/v2/filters/:id") ? UNSAFE : SAFE;
            case "PATCH", "DELETE" -> SAFE;
            default -> ofPost(route);
        };
    }

    private static Repetition ofPost(String route) {
        if (KEYED_ROUTES.contains(route)) {
            return KEYED;
        }
        if (SIGN_UP_ROUTES.contains(route)) {
            return SIGN_UP;
        }
        if (route.equals("/oauth/token")) {
            return TOKEN;
        }
        if (route.equals("/api/v1/accounts/password")) {
            return PASSWORD;
        }
        // The filter streams, and the list of one's tokens, whose password is not for a URL.
        if (route.startsWith("/api/v1/streaming/")
                || route.startsWith("/1.1/statuses/")
                || route.equals("/api/v1/tokens/list")) {
            return READ;
        }
        boolean setter = SETTERS.contains(route.substring(route.lastIndexOf('/') + 1)) && !route.equals(AUTHORIZE);
        return setter || OTHER_SETTERS.contains(route) ? SAFE : UNSAFE;
    }
}
