package io.fanfare.common.model;

import java.util.List;
import java.util.Locale;

/**
 * A notice to an account of what a moderator did, in Mastodon a strike. It names no moderator.
 *
 * @param id that of its notification: unique, and ascending with time among the warnings of an account
 * @param account the account concerned
 * @param text the message of the moderator; may be empty
 * @param statuses the posts concerned, deleted ones too
 * @param appeal null = none was made
 */
public record Warning(long id, long account, Action action, String text, List<Long> statuses, Appeal appeal) {
    /** The act that a warning is about, in Mastodon's words. */
    public enum Action {
        /** The message alone. */
        NONE,
        MARK_STATUSES_AS_SENSITIVE,
        DELETE_STATUSES,
        SENSITIVE,
        SILENCE,
        SUSPEND;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers and in Redis. */
        public String wire() {
            return wire;
        }

        /** The action of that word; {@link #NONE} for one that only later versions know. */
        public static Action of(String wire) {
            for (Action action : values()) {
                if (action.wire.equals(wire)) {
                    return action;
                }
            }
            return NONE;
        }
    }

    /**
     * The one appeal of the account against a warning.
     *
     * @param atMillis Unix time
     */
    public record Appeal(State state, long atMillis, String text) {
        /** The decision about an appeal. */
        public enum State {
            PENDING,
            /** The warning is overturned. */
            APPROVED,
            REJECTED;

            private final String wire = name().toLowerCase(Locale.ROOT);

            /** The word in answers and in Redis. */
            public String wire() {
                return wire;
            }
        }
    }

    public Warning {
        statuses = List.copyOf(statuses);
    }
}
