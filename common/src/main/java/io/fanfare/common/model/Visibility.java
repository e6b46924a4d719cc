package io.fanfare.common.model;

import java.util.Locale;

/** Who may see a status, from the most to the fewest. */
public enum Visibility {
    /** Everybody, and shown in public places. */
    PUBLIC,
    /** Everybody who has the link or follows; not on public streams and timelines. */
    UNLISTED,
    /** Followers and the author. */
    PRIVATE;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The word on every wire and in Redis. */
    public String wire() {
        return wire;
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
