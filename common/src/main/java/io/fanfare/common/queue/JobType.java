package io.fanfare.common.queue;

import java.util.Locale;

/** The kinds of job, by the name they have on the wire. */
public enum JobType {
    FAN_OUT,
    ANNOUNCE,
    DELIVER,
    CATCH_UP,
    RETRACT,
    LIKE,
    UNLIKE,
    LINK,
    UNLINK,
    BLOCK,
    UNBLOCK,
    MUTE,
    UNMUTE;

    private final String wire = name().toLowerCase(Locale.ROOT);

    public String wire() {
        return wire;
    }

    /** The type of that name; null when this version does not know it. */
    public static JobType of(String wire) {
        for (JobType type : values()) {
            if (type.wire.equals(wire)) {
                return type;
            }
        }
        return null;
    }
}
