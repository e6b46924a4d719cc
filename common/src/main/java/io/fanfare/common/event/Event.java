package io.fanfare.common.event;

import io.fanfare.common.model.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Something that happened, which streams send or apply. {@code body} is the JSON that native streams send; in the log
 * that of most new statuses is a record, which is made JSON before it is sent.
 *
 * @param kind what happened; the SSE event name of the native dialect is its wire name
 * @param subject status id (STATUS, DELETE), id of the edit (EDIT), notification id (NOTIFICATION) or edge id (all
 *     others): with the kind, the event's identity, so that appending twice does nothing
 * @param actor the acting account
 * @param target the other account: the recipient of a notification or conversation, the followed, blocked or muted one;
 *     the status that is edited (EDIT); 0 = none (STATUS, DELETE)
 * @param visibility of the event
 * @param match the fields for filters (STATUS, EDIT, DELETE), see {@link MatchFields}; the statuses that another shows,
 *     see {@link #embedded}; empty = nothing, or left to the log to find
 * @param body JSON on one line: an object, or the array that {@code EventBodies.rendered} makes an object of
 */
public record Event(
        Kind kind, long subject, long actor, long target, Visibility visibility, String match, String body) {
    /** One that filters have nothing to look at. */
    public Event(Kind kind, long subject, long actor, long target, Visibility visibility, String body) {
        this(kind, subject, actor, target, visibility, "", body);
    }

    /** The possible recipients of the events of a kind. */
    public enum Audience {
        /** Anybody whom the {@link Event#visibility} lets. */
        EVERYBODY,
        /** The target alone, on the streams that have its home. */
        TARGET,
        /** The target alone, on Mastodon's stream of conversations. */
        CONVERSATIONS,
        /** No client: open streams adapt to the event, and the verifier reads it. */
        INTERNAL
    }

    /** Kinds of event. */
    public enum Kind {
        STATUS("status", 's', Audience.EVERYBODY),
        DELETE("delete", 'd', Audience.EVERYBODY),
        FOLLOW("follow", 'f', Audience.EVERYBODY),
        UNFOLLOW("unfollow", 'u', Audience.EVERYBODY),
        NOTIFICATION("notification", 'n', Audience.TARGET),
        BLOCK("block", 'b', Audience.INTERNAL),
        UNBLOCK("unblock", 'k', Audience.INTERNAL),
        MUTE("mute", 'm', Audience.INTERNAL),
        /** Versions before {@link #TERMS} append it for those too, so that streams of homes ask the store as well. */
        UNMUTE("unmute", 'o', Audience.INTERNAL),
        /**
         * A change of the terms of a follow, a mute, a list or a filter; a stream that depends on it reads the store.
         */
        TERMS("terms", 't', Audience.INTERNAL),
        /** A status has another text, or other parts: the event has all of it. */
        EDIT("status.update", 'e', Audience.EVERYBODY),
        /** A conversation of its target has changed. */
        CONVERSATION("conversation", 'c', Audience.CONVERSATIONS);

        private final String wire;
        private final char letter;
        private final Audience audience;

        Kind(String wire, char letter, Audience audience) {
            this.wire = wire;
            this.letter = letter;
            this.audience = audience;
        }

        /** The name on native streams. */
        public String wire() {
            return wire;
        }

        /** The letter in event ids and in the log. */
        public char letter() {
            return letter;
        }

        public Audience audience() {
            return audience;
        }

        /**
         * Whether streams in Fanfare's own dialects send it; those of others name the kinds that their clients know.
         */
        public boolean isNative() {
            return audience == Audience.EVERYBODY || audience == Audience.TARGET;
        }

        /** Whether the target alone may receive it. */
        public boolean isForTarget() {
            return audience == Audience.TARGET || audience == Audience.CONVERSATIONS;
        }

        /** Whether no client may receive it. */
        public boolean isInternal() {
            return audience == Audience.INTERNAL;
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

    /** Whether streams that have the home of this account send it to that account alone. */
    public boolean isFor(long account) {
        return kind.audience() == Audience.TARGET && target == account;
    }

    /** The status that was posted, edited or deleted; 0 = it is of something else. */
    public long status() {
        return switch (kind) {
            case STATUS, DELETE -> subject;
            case EDIT -> target;
            default -> 0;
        };
    }

    /** The status that a notification, a conversation or an edit is about: it goes when that is deleted. 0 = none. */
    public long subjectStatus() {
        return switch (kind) {
            case NOTIFICATION, CONVERSATION -> match.isEmpty() ? 0 : ids().get(0);
            case EDIT -> target;
            default -> 0;
        };
    }

    /**
     * The statuses that it has inside, beside its own: first what a notification or an edit is about; what a status
     * reposts or quotes, and what that quotes in turn. When one of them is deleted, the event is not sent any more as
     * it lies in the log. Throws {@link IllegalArgumentException} when the match is not of its form.
     */
    public List<Long> embedded() {
        List<Long> ids = ids();
        return ids.isEmpty() ? ids : ids.stream().filter(id -> id > 0).toList();
    }

    /** The ids that have been deleted since, see {@link #redacted}: the body may have their words all the same. */
    public Set<Long> redactedIds() {
        return ids().stream().filter(id -> id < 0).map(id -> -id).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The same when some of {@link #embedded} have been deleted: filters look at their words no more, and
     * {@code EventBodies.rendered} leaves them out of the body.
     */
    public Event redacted(Set<Long> deleted) {
        String left = kind == Kind.NOTIFICATION || kind == Kind.CONVERSATION
                ? match(MatchFields.without(ids(), deleted))
                : MatchFields.decode(match).without(deleted).encode();
        return new Event(kind, subject, actor, target, visibility, left, body);
    }

    /** The match of a notification or conversation. */
    public static String match(List<Long> shown) {
        return shown.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Negative = gone. */
    private List<Long> ids() {
        return switch (kind) {
            case STATUS -> shown();
            case EDIT -> {
                List<Long> ids = new ArrayList<>(List.of(target));
                ids.addAll(shown());
                yield ids;
            }
            case NOTIFICATION, CONVERSATION -> match.isEmpty() ? List.of() : ids(0, match.length());
            default -> List.of();
        };
    }

    private List<Long> shown() {
        return match.startsWith(MatchFields.SHOWN) ? ids(MatchFields.SHOWN.length(), match.indexOf(']')) : List.of();
    }

    private List<Long> ids(int from, int end) {
        List<Long> ids = new ArrayList<>(2);
        try {
            for (String id : match.substring(from, Math.max(from, end)).split(",", -1)) {
                ids.add(Long.parseLong(id));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not the statuses that an event shows");
        }
        return ids;
    }

    /** The event's identity, for example {@code s281474976710656}; see {@link EventKey}. */
    public String id() {
        return new EventKey(kind, subject).toString();
    }
}
