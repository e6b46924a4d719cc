package io.fanfare.common.event;

import io.fanfare.common.model.Visibility;

/**
 * Something that happened, as streams tell it. {@code body} is the JSON that native streams send, rendered once by whoever appends.
 *
 * @param kind what happened; the SSE event name of the native dialect is its wire name
 * @param subject status id (STATUS, DELETE) or edge id (FOLLOW, UNFOLLOW): with the kind, the event's identity, so that appending twice does nothing
 * @param actor whose doing it was
 * @param target the other account (FOLLOW, UNFOLLOW), else 0
 * @param visibility who may hear of it
 * @param match what filters look at (STATUS, DELETE), see {@link Particulars}; empty = nothing, or left to the log to find
 * @param body JSON object, one line
 */
public record Event(
        Kind kind, long subject, long actor, long target, Visibility visibility, String match, String body) {
    /** One that filters have nothing to look at. */
    public Event(Kind kind, long subject, long actor, long target, Visibility visibility, String body) {
        this(kind, subject, actor, target, visibility, "", body);
    }

    /** Kinds of event. */
    public enum Kind {
        STATUS("status", 's'),
        DELETE("delete", 'd'),
        FOLLOW("follow", 'f'),
        UNFOLLOW("unfollow", 'u');

        private final String wire;
        private final char letter;

        Kind(String wire, char letter) {
            this.wire = wire;
            this.letter = letter;
        }

        /** The name on native streams. */
        public String wire() {
            return wire;
        }

        /** The letter in event ids and in the log. */
        public char letter() {
            return letter;
        }

        /** The kind with that letter; null when there is none. */
        public static Kind of(char letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            return null;
        }
    }

    /** The event's identity, for example {@code s281474976710656}. */
    public String id() {
        return kind.letter() + Long.toString(subject);
    }
}
