package io.fanfare.common.auth;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.Predicate;

/** OAuth scopes as Mastodon's clients write them: words with white space (or pluses, or commas) between. */
public final class Scopes {
    /** The scope of an app or a token that requested none. */
    public static final String DEFAULT = "read";

    /** All that Mastodon's API knows, by what stands before their colon. */
    private static final Set<String> KNOWN = known(Map.of(
            "read",
            "accounts blocks bookmarks favourites filters follows lists mutes notifications search statuses",
            "write",
            "accounts blocks bookmarks conversations favourites filters follows lists media mutes notifications"
                    + " reports statuses",
            "admin:read",
            "accounts reports domain_allows domain_blocks ip_blocks email_domain_blocks canonical_email_blocks",
            "admin:write",
            "accounts reports domain_allows domain_blocks ip_blocks email_domain_blocks canonical_email_blocks"));

    private static final int SHOWN_CHARS_MAX = 40;

    /** The scopes of {@code follow}, Mastodon's old name, which most apps still request. */
    private static final Set<String> FOLLOW =
            Set.of("read:follows", "read:blocks", "read:mutes", "write:follows", "write:blocks", "write:mutes");

    private Scopes() {}

    private static Set<String> known(Map<String, String> families) {
        Set<String> known = new HashSet<>(Set.of("follow", "push", "profile", "crypto"));
        families.forEach((family, parts) -> {
            known.add(family);
            parse(parts).forEach(part -> known.add(family + ":" + part));
        });
        return Set.copyOf(known);
    }

    /** The words, in their order, without repeats; unknown ones included. */
    public static Set<String> parse(String text) {
        return parse(text, scope -> true);
    }

    /**
     * The scopes of a request up to the first unknown one, for which the caller refuses the request. A body of unknown
     * scopes would cost 30 times its bytes otherwise.
     */
    public static Set<String> requested(String text) {
        return parse(text, KNOWN::contains);
    }

    private static Set<String> parse(String text, Predicate<String> goesOn) {
        Set<String> scopes = new LinkedHashSet<>();
        StringTokenizer words = new StringTokenizer(text, " +,\t\n\r\f\u000b");
        while (words.hasMoreTokens()) {
            String next = words.nextToken();
            scopes.add(next);
            if (!goesOn.test(next)) {
                break;
            }
        }
        return scopes;
    }

    /** Whether all of these are scopes that Mastodon's API knows. */
    public static boolean known(Set<String> scopes) {
        return KNOWN.containsAll(scopes);
    }

    /** The first of these that is none, to be shown; empty when all are known. */
    public static Optional<String> unknown(Set<String> scopes) {
        return scopes.stream()
                .filter(scope -> !KNOWN.contains(scope))
                .map(scope -> scope.length() > SHOWN_CHARS_MAX ? scope.substring(0, SHOWN_CHARS_MAX) + "..." : scope)
                .findFirst();
    }

    /** Whether {@code requested} is no more than {@code granted}: a word covers its {@code word:...}. */
    public static boolean within(Set<String> requested, Set<String> granted) {
        return requested.stream().allMatch(scope -> covers(granted, scope));
    }

    /** Whether one of the granted scopes allows this one. {@code profile} is the least of all: who one is. */
    static boolean covers(Set<String> granted, String scope) {
        if (granted.contains(scope)) {
            return true;
        }
        if (scope.equals("profile")) {
            return covers(granted, "read:accounts");
        }
        if (FOLLOW.contains(scope) && granted.contains("follow")) {
            return true;
        }
        int colon = scope.lastIndexOf(':');
        return colon > 0 && covers(granted, scope.substring(0, colon));
    }
}
