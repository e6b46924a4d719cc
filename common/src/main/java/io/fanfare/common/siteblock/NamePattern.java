package io.fanfare.common.siteblock;

import io.fanfare.common.model.Account;
import java.util.regex.Pattern;

/**
 * A pattern of user names: letters, digits and underscores, and {@code *} for any number of them. Matching needs no
 * regular expression and takes at most the product of both lengths in steps, about 1,000. Immutable.
 *
 * @param text in lower case
 */
record NamePattern(String text) {
    /** Stars of a pattern. */
    static final int STARS_MAX = 4;

    private static final Pattern FORM = Pattern.compile("[a-z0-9_*]{1," + (Account.USERNAME_MAX + STARS_MAX) + "}");

    /** Whether a text is a pattern: it names something beside stars, which do not stand side by side. */
    static boolean isPattern(String text) {
        return FORM.matcher(text).matches()
                && !text.contains("**")
                && text.chars().filter(c -> c == '*').count() <= STARS_MAX
                && text.chars().anyMatch(c -> c != '*');
    }

    boolean isExact() {
        return text.indexOf('*') < 0;
    }

    /** Whether a name, in lower case, is one of these. */
    boolean matches(String name) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < name.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < text.length() && text.charAt(at) == name.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                // The last star takes one character more.
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        return at == text.length() || (at == text.length() - 1 && text.charAt(at) == '*');
    }
}
