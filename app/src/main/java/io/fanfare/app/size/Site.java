package io.fanfare.app.size;

import java.util.Locale;

/**
 * The site to reckon with. Values are checked: an exception names the option of {@code fanfare size} and its range.
 *
 * @param users accounts
 * @param postsPerUserDay posts of an average account in a day
 * @param follows accounts that an average account follows
 * @param readsPerUserDay pages of its home that an average account reads in a day
 * @param activeShare of the accounts, those with a home in Redis, since they have opened it within
 *     {@code feeds.inactive-days}
 * @param streams open streams of homes at the peak
 * @param picturesPerPost pictures of an average post
 * @param pictureBytes of an average picture
 * @param peakFactor the load at the peak as a multiple of the mean
 * @param retentionDays for which posts stay in Redis ({@code archive.days})
 */
public record Site(
        long users,
        double postsPerUserDay,
        double follows,
        double readsPerUserDay,
        double activeShare,
        double streams,
        double picturesPerPost,
        long pictureBytes,
        double peakFactor,
        int retentionDays) {
    static final long USERS_MAX = 10_000_000_000L;

    public Site {
        check("--users", (double) users, 1, USERS_MAX);
        check("--posts-per-user-day", postsPerUserDay, 0, 10_000);
        check("--follows", follows, 0, 1_000_000);
        check("--reads-per-user-day", readsPerUserDay, 0, 100_000);
        check("--active-share", activeShare, 0, 1);
        check("--streams", streams, 0, USERS_MAX);
        check("--pictures-per-post", picturesPerPost, 0, 16);
        check("--picture-bytes", (double) pictureBytes, 1, 1 << 28);
        check("--peak-factor", peakFactor, 1, 1000);
        check("--retention-days", retentionDays, 1, 36_500);
    }

    /** A value that is no number is outside of each range. */
    public static void check(String option, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s must be a number from %,.0f to %,.0f", option, min, max));
        }
    }

    /** Followers of an average account; nobody follows more accounts than there are others. */
    double followers() {
        return Math.min(follows, (double) users - 1);
    }

    /** The same site with other users, and as many streams for each of them. */
    Site withUsers(long others) {
        return new Site(
                others,
                postsPerUserDay,
                follows,
                readsPerUserDay,
                activeShare,
                Math.min(USERS_MAX, streams / users * others),
                picturesPerPost,
                pictureBytes,
                peakFactor,
                retentionDays);
    }
}
