package io.fanfare.client.stream;

import java.util.List;

/**
 * Events in their order, and the position after them.
 *
 * @param events empty when only the position moved, as after a heartbeat
 * @param cursor to store with the effects of these events; a stream that starts from it sends none of them again
 */
public record Batch(List<StreamEvent> events, Cursor cursor) {
    public Batch {
        events = List.copyOf(events);
    }
}
