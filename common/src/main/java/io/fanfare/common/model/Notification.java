package io.fanfare.common.model;

import java.util.Locale;

/**
 * Word to an account of what somebody did.
 *
 * @param id unique and time-ordered among the account's notifications; 0 = not given out yet
 * @param actorId whose doing it was
 * @param statusId the status it is about: the liked, reposted, edited or new one, or the one that mentions, quotes or
 *     comments, and of a quoted one that was edited the quote; 0 = none
 */
public record Notification(long id, Type type, long actorId, long statusId) {
    /** The action that caused a notification. */
    public enum Type {
        FOLLOW,
        FAVOURITE,
        REBLOG,
        /** Also word of a comment or a reply. */
        MENTION,
        QUOTE,
        /** A status was edited: word to those who have reposted it. */
        UPDATE,
        /** A status was edited: word to those who have quoted it, about the quote. */
        QUOTED_UPDATE,
        /** A new post of an author to whom the account has subscribed. */
        STATUS,
        /** Somebody asks to follow an account that is locked. */
        FOLLOW_REQUEST,
        /** A poll has ended: word to its author and to those who have voted. */
        POLL,
        /** A moderator has warned the account: the {@link Warning} of the same id. Its actor is the account itself. */
        MODERATION_WARNING;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }

        /** The type of that name; null when there is none. */
        public static Type of(String wire) {
            for (Type type : values()) {
                if (type.wire.equals(wire)) {
                    return type;
                }
            }
            return null;
        }
    }

    /** One that is still to get its id. */
    public static Notification of(Type type, long actorId, long statusId) {
        return new Notification(0, type, actorId, statusId);
    }
}
