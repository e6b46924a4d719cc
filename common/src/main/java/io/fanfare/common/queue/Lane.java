package io.fanfare.common.queue;

import java.util.Locale;

/** The waiting lists of a shard, most urgent first. */
public enum Lane {
    /** Fan-outs of at most one page, deletes, finishing of follows and unfollows. */
    HIGH,
    /** Further pages, and large pictures. */
    NORMAL,
    /** Pages of authors beyond {@link #NORMAL_MAX} followers. */
    LOW;

    /**
     * Followers of an author whose further pages wait in {@link #NORMAL}; with more they wait in {@link #LOW}, so that
     * small ones do not wait behind them.
     */
    public static final long NORMAL_MAX = 10_000;

    private final String key = name().toLowerCase(Locale.ROOT);

    /** The last part of the lane's Redis key. */
    public String key() {
        return key;
    }
}
