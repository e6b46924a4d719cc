package io.fanfare.common.event;

import java.util.Optional;

/**
 * Makes events again of what is heard on {@link io.fanfare.common.redis.Keys#BUS_CHANNEL}: the events of one call of the log's script come in one go behind a notice that says which
 * seq the first of them has. Confined to whoever listens.
 */
public final class PublishedEvents {
    private EventCodec.Notice next;

    /** To be called before anything is heard of a new subscription: what comes may belong to nothing that was heard before. */
    public void begin() {
        next = null;
    }

    /**
     * Takes the next message; empty when it tells only what follows. Throws {@link IllegalArgumentException} when it is unreadable or came without its notice: then the log has to
     * be read.
     */
    public Optional<LoggedEvent> hear(String message) {
        EventCodec.Notice mine = next;
        if (EventCodec.isNotice(message)) {
            next = null;
            next = EventCodec.decodeNotice(message);
            return Optional.empty();
        }
        if (mine == null) {
            throw new IllegalArgumentException("an event without its number");
        }
        next = new EventCodec.Notice(mine.epoch(), mine.seq() + 1, mine.appendedAtMillis());
        Event event = EventCodec.decodeEntry(message);
        return Optional.of(new LoggedEvent(mine.epoch(), mine.seq(), mine.appendedAtMillis(), event));
    }
}
