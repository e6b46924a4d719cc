package io.fanfare.core.held;

import java.util.Locale;

/** A plain sign of abuse in a post of a young account. */
public enum Signal {
    LINKS("the account is new, and the post has a link to another site"),
    MENTIONS("the account is new, and the post names several accounts that do not follow it"),
    SAME_TEXT("several new accounts posted the same text or the same link within an hour");

    private final String wire = name().toLowerCase(Locale.ROOT);
    private final String reason;

    Signal(String reason) {
        this.reason = reason;
    }

    public String wire() {
        return wire;
    }

    /** The explanation for people, to follow "because". */
    public String reason() {
        return reason;
    }

    /** The signal of that name; one that only a later version knows is read as {@link #LINKS}. */
    static Signal of(String wire) {
        for (Signal signal : values()) {
            if (signal.wire.equals(wire)) {
                return signal;
            }
        }
        return LINKS;
    }
}
