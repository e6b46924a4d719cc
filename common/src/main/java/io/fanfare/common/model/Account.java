package io.fanfare.common.model;

import java.util.regex.Pattern;

/**
 * A user as others see it. Counters equal the cardinalities of the sets they count.
 *
 * @param lastStatusAt Unix milliseconds of the newest post, 0 when there is none
 * @param rev goes up with every change of what the user says: name, note, traits
 */
public record Account(
        long id,
        String username,
        String displayName,
        String note,
        long followersCount,
        long followingCount,
        long statusesCount,
        long lastStatusAt,
        ProfileSettings profileSettings,
        long rev) {
    /** Longest user name. */
    public static final int USERNAME_MAX = 30;

    private static final Pattern USERNAME = Pattern.compile("[a-z0-9_]+");

    /** Whether anybody could have this name, in lower case. */
    public static boolean isUsername(String name) {
        return name.length() <= USERNAME_MAX && USERNAME.matcher(name).matches();
    }

    /** The same with other counters: everything else stays for as long as {@code rev} does. */
    public Account counted(long followers, long following, long statuses, long lastStatus) {
        return new Account(
                id, username, displayName, note, followers, following, statuses, lastStatus, profileSettings, rev);
    }

    /** An account that has changed nothing since it was made. */
    public Account(
            long id,
            String username,
            String displayName,
            String note,
            long followersCount,
            long followingCount,
            long statusesCount,
            long lastStatusAt) {
        this(
                id,
                username,
                displayName,
                note,
                followersCount,
                followingCount,
                statusesCount,
                lastStatusAt,
                ProfileSettings.PLAIN,
                0);
    }
}
