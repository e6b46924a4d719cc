package io.fanfare.common.event;

import java.util.List;

/**
 * A piece of the log, and the state of the log at the same instant.
 *
 * @param events in order. Numbers missing between them from {@code state.floor()} on are deleted events; below it they
 *     have left the log
 * @param upTo the page has all events of the log between the requested seq and this one, inclusive
 * @param skipped numbers whose events are left out because this version cannot read them
 * @param whole whether that is everything up to {@code state.tip()}
 */
public record LogPage(LogState state, List<LoggedEvent> events, List<Skipped> skipped, long upTo, boolean whole) {
    public LogPage {
        events = List.copyOf(events);
        skipped = List.copyOf(skipped);
    }

    /** A page without events that cannot be read. */
    public LogPage(LogState state, List<LoggedEvent> events, long upTo, boolean whole) {
        this(state, events, List.of(), upTo, whole);
    }

    /**
     * An event that is left out.
     *
     * @param reason without a word of the event; null = it is of a kind that only newer versions know
     */
    public record Skipped(long seq, String reason) {
        public boolean isOfUnknownKind() {
            return reason == null;
        }
    }
}
