package io.fanfare.common.event;

import java.util.ArrayList;
import java.util.List;

/**
 * Decodes the events received on {@link io.fanfare.common.keyspace.Keys#BUS_CHANNEL}: a batch comes right behind a
 * notice with the seq of its first event. Confined to its listener.
 */
public final class PublishedEvents {
    private static final EventCodec.Notice NONE = new EventCodec.Notice("", 0, 0, 0, "");

    private EventCodec.Notice notice = NONE;

    /**
     * Must be called before the first message of a new subscription: the next messages may not belong to earlier ones.
     */
    public void begin() {
        notice = NONE;
    }

    /**
     * Takes the next message; answers its events, less those that were taken out at once and those of a kind that only
     * newer versions know; none for a notice. Throws {@link IllegalArgumentException} when it is unreadable or not the
     * batch that is to come next, since that or its notice was lost on the way: then the log has to be read.
     */
    public List<LoggedEvent> receive(String message) {
        EventCodec.Notice received = notice;
        begin();
        if (EventCodec.isNotice(message)) {
            notice = EventCodec.decodeNotice(message);
            return List.of();
        }
        return events(received, EventCodec.lines(message));
    }

    private static List<LoggedEvent> events(EventCodec.Notice received, String[] lines) {
        if (lines.length != received.events()) {
            throw new IllegalArgumentException("events without their numbers");
        }
        List<LoggedEvent> events = new ArrayList<>(lines.length);
        String lastId = "";
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isEmpty()) {
                try {
                    Event event = EventCodec.decode(lines[i]);
                    events.add(
                            new LoggedEvent(received.epoch(), received.seq() + i, received.appendedAtMillis(), event));
                    lastId = event.id();
                } catch (EventCodec.UnknownKind unknown) {
                    lastId = unknown.id();
                }
            }
        }
        if (!lastId.equals(received.lastId())) {
            throw new IllegalArgumentException("other events than those that are to come");
        }
        return events;
    }
}
