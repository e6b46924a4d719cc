package io.fanfare.common.model;

import java.util.Locale;

/**
 * The accounts that may quote a status, besides its author; only those that may see it. The words of Mastodon's
 * {@code quote_approval_policy}.
 */
public enum QuotePolicy {
    /** Everybody. */
    PUBLIC,
    /** Followers of the author. */
    FOLLOWERS,
    NOBODY;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The word on every wire and in Redis. */
    public String wire() {
        return wire;
    }

    /** The policy that was stored; {@link #NOBODY} for a word that only a newer version knows. */
    public static QuotePolicy stored(String wire) {
        QuotePolicy policy = of(wire);
        return policy == null ? NOBODY : policy;
    }

    /** The policy of that name; null when there is none. */
    public static QuotePolicy of(String wire) {
        for (QuotePolicy policy : values()) {
            if (policy.wire.equals(wire)) {
                return policy;
            }
        }
        return null;
    }
}
