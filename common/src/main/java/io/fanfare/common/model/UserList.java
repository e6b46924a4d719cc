package io.fanfare.common.model;

import java.util.Locale;

/**
 * Accounts that somebody has put together to read what they post. Only its owner knows of it.
 *
 * @param title not blank, on one line
 * @param exclusive whether its accounts are left out of the owner's home
 */
public record UserList(long id, String title, Replies replies, boolean exclusive) {
    /** Which answers to others its timeline shows; those to oneself and to its owner are always shown. */
    public enum Replies {
        /** To whom the owner follows. */
        FOLLOWED,
        /** To who is on the list. */
        LIST,
        /** To nobody. */
        NONE;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }

        /** The constant with this text on the wire; null when there is none. */
        public static Replies of(String wire) {
            for (Replies replies : values()) {
                if (replies.wire.equals(wire)) {
                    return replies;
                }
            }
            return null;
        }
    }
}
