package io.fanfare.common.model;

import java.util.List;

/**
 * How a hashtag was used on the last days: today first, days in UTC.
 *
 * @param days {@value #DAYS} of them
 */
public record TagHistory(List<Day> days) {
    /** As many as Mastodon shows. */
    public static final int DAYS = 7;

    public TagHistory {
        days = List.copyOf(days);
        if (days.size() != DAYS) {
            throw new IllegalArgumentException("a history of " + days.size() + " days");
        }
    }

    /**
     * One day.
     *
     * @param epochDay since the Unix epoch
     * @param uses public statuses of that day which have the tag
     * @param accounts who have written them
     */
    public record Day(long epochDay, long uses, long accounts) {
        /** When it began, Unix s. */
        public long epochSecond() {
            return epochDay * 86_400;
        }
    }

    public Day today() {
        return days.get(0);
    }

    public Day yesterday() {
        return days.get(1);
    }
}
