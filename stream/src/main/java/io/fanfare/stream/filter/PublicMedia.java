package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;

/** The statuses of the public timeline that have pictures, and their edits and deletes. */
public record PublicMedia() implements StreamFilter {
    private static final PublicTimeline ALL = new PublicTimeline();

    @Override
    public boolean wants(StreamEvent event) {
        return ALL.wants(event) && (event.versions().stream().anyMatch(MatchFields::media) || isOfUnknown(event));
    }

    /** Whether it is a delete of a status that the log has forgotten: that may have been sent. */
    private static boolean isOfUnknown(StreamEvent event) {
        return event.kind() == Event.Kind.DELETE && event.event().match().isEmpty();
    }

    @Override
    public boolean shared() {
        return true;
    }
}
