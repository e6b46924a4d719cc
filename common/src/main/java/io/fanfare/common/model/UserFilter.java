package io.fanfare.common.model;

import java.util.List;
import java.util.Locale;

/**
 * Which statuses somebody does not want to see as they are, by their words or by themselves. Only its owner knows of
 * it.
 *
 * @param title not blank, on one line
 * @param contexts where clients apply it, at least one, each once
 * @param expiresAt from when on it matches nothing, in Unix milliseconds; 0 = never
 * @param keywords the oldest first
 * @param statuses likewise
 */
public record UserFilter(
        long id,
        String title,
        List<Context> contexts,
        Action action,
        long expiresAt,
        List<Keyword> keywords,
        List<OfStatus> statuses) {
    public UserFilter {
        contexts = List.copyOf(contexts);
        keywords = List.copyOf(keywords);
        statuses = List.copyOf(statuses);
    }

    /** The places where a client shows statuses. */
    public enum Context {
        /** Also lists. */
        HOME,
        NOTIFICATIONS,
        PUBLIC,
        THREAD,
        ACCOUNT;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }

        /** The constant with this text on the wire; null when there is none. */
        public static Context of(String wire) {
            for (Context context : values()) {
                if (context.wire.equals(wire)) {
                    return context;
                }
            }
            return null;
        }
    }

    /** A client's action on a matching status. */
    public enum Action {
        /** Shows the title of the filter in its place, and the status on demand. */
        WARN,
        /** Shows nothing of it. */
        HIDE,
        /** Shows it without its pictures. */
        BLUR;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }

        /** The constant with this text on the wire; null when there is none. */
        public static Action of(String wire) {
            for (Action action : values()) {
                if (action.wire.equals(wire)) {
                    return action;
                }
            }
            return null;
        }
    }

    /**
     * A text in a status.
     *
     * @param wholeWord whether it must not be a part of a longer word
     */
    public record Keyword(long id, String keyword, boolean wholeWord) {}

    /** A status that it matches itself. */
    public record OfStatus(long id, long statusId) {}

    /** Whether it matches nothing any more. */
    public boolean isExpired(long nowMillis) {
        return expiresAt != 0 && expiresAt <= nowMillis;
    }
}
