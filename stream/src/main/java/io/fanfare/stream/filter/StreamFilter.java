package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;

/** What one connection wants to hear. Confined to one event loop. */
public interface StreamFilter {
    /** Whether the event goes to the connection. Asked for every event in order (perhaps twice in a row for one that it wants), so a filter may learn from what passes. */
    boolean wants(Event event);

    /** Whether the answer depends on the event alone, so that connections with the same filter may share what is made for one of them. */
    default boolean shared() {
        return false;
    }
}
