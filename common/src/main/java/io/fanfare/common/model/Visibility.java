package io.fanfare.common.model;

import java.util.Locale;

/** The audience of a status, from the largest to the smallest. */
public enum Visibility {
    /** Everybody, and shown in public places. */
    PUBLIC,
    /** Everybody who has the link or follows; not on public streams and timelines. */
    UNLISTED,
    /** Followers and the author. */
    PRIVATE,
    /** The author and those whom the status named when it was posted: a direct message. */
    DIRECT;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The word on every wire and in Redis. */
    public String wire() {
        return wire;
    }

    /** Whether not everybody who knows of it may see it. */
    public boolean isRestricted() {
        return compareTo(PRIVATE) >= 0;
    }

    /** The visibility of that name; null when there is none. */
    public static Visibility of(String wire) {
        for (Visibility v : values()) {
            if (v.wire.equals(wire)) {
                return v;
            }
        }
        return null;
    }
}
