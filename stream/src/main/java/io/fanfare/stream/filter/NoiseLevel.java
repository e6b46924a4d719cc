package io.fanfare.stream.filter;

import io.fanfare.common.event.MatchFields;

/**
 * How much noise a filter lets through: Twitter's {@code filter_level}, for walls and dashboards. Judged by the status
 * alone, so that every stream gets the same, live and replayed, and every stream that sent a status sends its delete.
 */
public enum NoiseLevel {
    /** Everything. */
    NONE,
    /** Not what names many accounts or has many hashtags. */
    LOW,
    /** Only statuses that stand for themselves: no comments, no answers to others, no reposts without words. */
    MEDIUM;

    private static final int MENTIONS_MAX = 5;
    private static final int TAGS_MAX = 5;

    /** @param ofStatus a status, or its delete; one of which nothing is known any more passes */
    boolean lets(StreamEvent ofStatus) {
        if (this == NONE) {
            return true;
        }
        boolean alone = ofStatus.isPlainPost();
        return ofStatus.versions().stream().anyMatch(version -> lets(version, alone));
    }

    private boolean lets(MatchFields about, boolean plain) {
        boolean crowded = about.mentions().size() > MENTIONS_MAX || about.tags().size() > TAGS_MAX;
        boolean alone = plain && about.addressedTo() == 0;
        return !crowded && (this == LOW || alone);
    }
}
