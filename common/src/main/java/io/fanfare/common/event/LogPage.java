package io.fanfare.common.event;

import java.util.List;

/**
 * A piece of the log and where the log stood at the same instant.
 *
 * @param events in order. Numbers missing between them from {@code state.floor()} on are deleted events; below it they have left the log
 * @param upTo the page tells all that the log has between the seq it was asked for and this one, inclusive
 * @param whole whether that is everything up to {@code state.tip()}
 */
public record LogPage(LogState state, List<LoggedEvent> events, long upTo, boolean whole) {
    public LogPage {
        events = List.copyOf(events);
    }
}
