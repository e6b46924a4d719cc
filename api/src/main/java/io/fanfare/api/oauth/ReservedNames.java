package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.model.Account;
import io.fanfare.common.settings.Settings;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * User names that nobody can sign up with, because people and programs take them for the server: those of
 * {@code reserved-usernames.txt} and of {@code auth.reserved-usernames}. A name that looks like one of them is one of
 * them. Accounts that have such a name keep it. Immutable.
 *
 * <p>A user name has letters of ASCII, digits and underscores only, so no other script can look like one
 * ({@link Account#isUsername} refuses them all, Cyrillic {@code а} and full-width {@code ａ} among them). Two names look
 * alike here when their {@link #skeleton skeletons} are the same: as in UTS #39, section 4, whose table has {@code 0}
 * and {@code O}, {@code 1} and {@code l}, {@code m} and {@code rn} of ASCII, and beyond it digits that people read as
 * letters.
 */
public final class ReservedNames {
    /** Beside the name: released in the setting. */
    private static final String RELEASED = "-";

    /** Digits by their value, as letters; those that stand for none are themselves. */
    private static final String LETTERS_OF_DIGITS = "olzeas6tbg";

    private final Set<String> skeletons;

    public ReservedNames(Settings.Auth settings) {
        Set<String> released = settings.reservedNames().stream()
                .filter(name -> name.startsWith(RELEASED))
                .map(name -> skeleton(name.substring(RELEASED.length())))
                .collect(Collectors.toSet());
        this.skeletons = Stream.concat(
                        WordList.read("reserved-usernames.txt").stream(),
                        settings.reservedNames().stream().filter(name -> !name.startsWith(RELEASED)))
                .map(ReservedNames::skeleton)
                .filter(skeleton -> !released.contains(skeleton))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether the name is reserved, or looks like one that is.
     *
     * @param username in lower case
     */
    public boolean contains(String username) {
        return Account.isUsername(username) && skeletons.contains(skeleton(username));
    }

    /** Fails with {@code Refusal(INVALID)} when the name is reserved. */
    public void check(String username) {
        if (contains(username)) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("username", "ERR_RESERVED", "is reserved, or looks like a name that is");
            errors.refuseIfAny();
        }
    }

    /** The look of a user name: names with the same skeleton are easily taken for each other. */
    static String skeleton(String username) {
        StringBuilder seen = new StringBuilder(username.length());
        for (int i = 0; i < username.length(); i++) {
            char c = username.charAt(i);
            if (c >= '0' && c <= '9') {
                c = LETTERS_OF_DIGITS.charAt(c - '0');
            }
            if (c != '_') {
                seen.append(c == 'i' ? 'l' : c);
            }
        }
        return seen.toString().replace("rn", "m").replace("vv", "w").replace("cl", "d");
    }
}
