package io.fanfare.common.event;

import java.util.List;
import java.util.Optional;

/**
 * Makes events again of what is heard on {@link io.fanfare.common.redis.Keys#BUS_CHANNEL}: the events of one call of the log's script come in one go behind a notice that says which
 * they are and which seq the first of them has. Confined to whoever listens.
 */
public final class PublishedEvents {
    private static final EventCodec.Notice NONE = new EventCodec.Notice("", 0, 0, List.of());

    private EventCodec.Notice notice = NONE;
    private int heard;

    /** To be called before anything is heard of a new subscription: what comes may belong to nothing that was heard before. */
    public void begin() {
        expect(NONE);
    }

    private void expect(EventCodec.Notice next) {
        notice = next;
        heard = 0;
    }

    /**
     * Takes the next message; empty when it tells only what follows. Throws {@link IllegalArgumentException} when it is unreadable or not the event that is to come next, since
     * that or its notice was lost on the way: then the log has to be read.
     */
    public Optional<LoggedEvent> hear(String message) {
        if (EventCodec.isNotice(message)) {
            begin();
            expect(EventCodec.decodeNotice(message));
            return Optional.empty();
        }
        if (heard == notice.ids().size()) {
            throw new IllegalArgumentException("an event without its number");
        }
        int place = heard++;
        Event event = EventCodec.decodeEntry(message);
        if (!event.id().equals(notice.ids().get(place))) {
            begin();
            throw new IllegalArgumentException("another event than the one that is to come");
        }
        return Optional.of(new LoggedEvent(notice.epoch(), notice.seq() + place, notice.appendedAtMillis(), event));
    }
}
