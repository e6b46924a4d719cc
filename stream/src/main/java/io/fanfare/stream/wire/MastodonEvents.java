package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import java.util.Map;

/** The events of Mastodon's streaming API, which its server-sent events and its WebSocket share. */
final class MastodonEvents {
    private static final Map<Event.Kind, String> NAMES = Map.of(
            Event.Kind.STATUS, "update",
            Event.Kind.EDIT, "status.update",
            Event.Kind.DELETE, "delete",
            Event.Kind.NOTIFICATION, "notification",
            Event.Kind.CONVERSATION, "conversation");

    private MastodonEvents() {}

    /** Whether Mastodon sends events of the kind. */
    static boolean sends(Event.Kind kind) {
        return NAMES.containsKey(kind);
    }

    /** The name of the event for a kind that Mastodon sends. */
    static String name(Event.Kind kind) {
        return NAMES.get(kind);
    }

    /** The JSON of the event; the bare id of a deleted status. */
    static String payload(Event event) {
        return event.kind() == Event.Kind.DELETE ? Long.toString(event.subject()) : event.body();
    }
}
