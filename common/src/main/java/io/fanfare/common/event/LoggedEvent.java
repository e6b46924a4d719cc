package io.fanfare.common.event;

import java.util.Set;

/**
 * An event with its place in the one total order.
 *
 * @param epoch 8 hex characters; {@code seq} goes up by one per event within it
 * @param appendedAtMillis the Redis server's clock at the append, Unix time
 */
public record LoggedEvent(String epoch, long seq, long appendedAtMillis, Event event) {
    /** Its place as streams send it. */
    public EventId eventId() {
        return new EventId(epoch, seq);
    }

    /**
     * Whether both are one append, whatever their epochs and bodies are. The log gives a number out again after it has
     * lost the event: later, and mostly to another subject.
     */
    public boolean isSameAs(LoggedEvent other) {
        return seq == other.seq
                && appendedAtMillis == other.appendedAtMillis
                && event.id().equals(other.event.id());
    }

    /** The same with another body, for one dialect or stream. */
    public LoggedEvent withBody(String body) {
        Event same = new Event(
                event.kind(), event.subject(), event.actor(), event.target(), event.visibility(), event.match(), body);
        return new LoggedEvent(epoch, seq, appendedAtMillis, same);
    }

    /** The same when some of what it shows has been deleted, see {@link Event#redacted}. */
    public LoggedEvent without(Set<Long> deleted) {
        boolean less = event.embedded().stream().anyMatch(deleted::contains);
        return less ? new LoggedEvent(epoch, seq, appendedAtMillis, event.redacted(deleted)) : this;
    }
}
