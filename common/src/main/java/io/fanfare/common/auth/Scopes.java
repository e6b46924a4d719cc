package io.fanfare.common.auth;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.regex.Pattern;

/** OAuth scopes as Mastodon's clients write them: words with white space (or pluses, or commas) between. */
public final class Scopes {
    /** What an app or a token has that asked for nothing. */
    public static final String DEFAULT = "read";

    private static final Pattern WORD =
            Pattern.compile("(read|write|admin:read|admin:write)(:[a-z_]{1,30})?|follow|push|profile|crypto");

    /** What {@code follow} stands for: Mastodon's old name, which most apps still ask for. */
    private static final Set<String> FOLLOW =
            Set.of("read:follows", "read:blocks", "read:mutes", "write:follows", "write:blocks", "write:mutes");

    private Scopes() {}

    /** The words, in their order, without repeats; unknown ones included. */
    public static Set<String> parse(String text) {
        Set<String> scopes = new LinkedHashSet<>();
        StringTokenizer words = new StringTokenizer(text, " +,\t\n\r\f\u000b");
        while (words.hasMoreTokens()) {
            scopes.add(words.nextToken());
        }
        return scopes;
    }

    /** Whether all of these are scopes that Mastodon's API knows. */
    public static boolean known(Set<String> scopes) {
        return scopes.stream().allMatch(scope -> WORD.matcher(scope).matches());
    }

    /** Whether {@code asked} is no more than {@code granted}: a word covers its {@code word:...}. */
    public static boolean within(Set<String> asked, Set<String> granted) {
        return asked.stream().allMatch(scope -> covers(granted, scope));
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
