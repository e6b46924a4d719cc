package io.fanfare.common.queue;

import java.util.Locale;

/** The waiting lists of a shard, most urgent first. */
public enum Lane {
    /** Fan-outs of at most one page, deletes, finishing of follows and unfollows. */
    HIGH,
    /** Further pages. */
    NORMAL,
    /** Pages of authors beyond 10,000 followers. */
    LOW;

    private final String key = name().toLowerCase(Locale.ROOT);

    /** The last part of the lane's Redis key. */
    public String key() {
        return key;
    }
}
