package io.fanfare.common.event;

import io.fanfare.common.model.Visibility;

/**
 * Something that happened, as streams tell it or go by it. {@code body} is the JSON that native streams send; in the log that of most new statuses is a record, which is made JSON before it is told.
 *
 * @param kind what happened; the SSE event name of the native dialect is its wire name
 * @param subject status id (STATUS, DELETE), notification id (NOTIFICATION) or edge id (all others): with the kind, the event's identity, so that appending twice does nothing
 * @param actor whose doing it was
 * @param target the other account: whom a notification tells, who is followed, blocked or muted; 0 = none (STATUS, DELETE)
 * @param visibility who may hear of it
 * @param match what filters look at (STATUS, DELETE), see {@link Particulars}; the status a notification is about, see {@link #about}; empty = nothing, or left to the log to find
 * @param body JSON on one line: an object, or the array that {@code Views.told} makes an object of
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
        UNFOLLOW("unfollow", 'u'),
        /** Told to its target only. */
        NOTIFICATION("notification", 'n'),
        /** This one and the following are told to nobody: streams that are open go by them. */
        BLOCK("block", 'b'),
        UNBLOCK("unblock", 'k'),
        MUTE("mute", 'm'),
        /** Also a change of what somebody wants of whom they follow: whoever goes by it asks the store. */
        UNMUTE("unmute", 'o');

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

    /** The same with another body. */
    public Event withBody(String other) {
        return new Event(kind, subject, actor, target, visibility, match, other);
    }

    /** The status that a notification is about, which it shows: it goes when that is deleted. 0 = none. */
    public long about() {
        return kind == Kind.NOTIFICATION && !match.isEmpty() ? Long.parseLong(match) : 0;
    }

    /** The event's identity, for example {@code s281474976710656}. */
    public String id() {
        return kind.letter() + Long.toString(subject);
    }
}
