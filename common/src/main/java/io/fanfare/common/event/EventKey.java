package io.fanfare.common.event;

/**
 * The identity of an event, whatever its place in the log: appending the same key again does nothing. Written as in the
 * log and in notices, {@code s281474976710656}.
 *
 * @param kind what happened
 * @param subject see {@link Event}
 */
public record EventKey(Event.Kind kind, long subject) {
    @Override
    public String toString() {
        return kind.letter() + Long.toString(subject);
    }
}
