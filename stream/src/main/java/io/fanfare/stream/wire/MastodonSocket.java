package io.fanfare.stream.wire;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * The messages of Mastodon's WebSocket, each a line without its beginning: which stream it belongs to is put before it
 * by the socket, since one socket has several.
 *
 * <pre>{@code
 * {"stream":["user"],"event":"update","payload":"{\"id\":...}"}
 *                   ^ from here
 * }</pre>
 */
final class MastodonSocket implements DialectWriter {
    private static final Buffer FILTERS_CHANGED = Buffer.buffer(",\"event\":\"filters_changed\"}\n");

    @Override
    public String contentType() {
        throw new IllegalStateException("a WebSocket has no content type");
    }

    /** A socket says nothing when a stream begins. */
    @Override
    public Buffer greeting(Hello hello) {
        return null;
    }

    @Override
    public Buffer event(LoggedEvent logged) {
        Event event = logged.event();
        return message(MastodonEvents.name(event.kind()), MastodonEvents.payload(event));
    }

    @Override
    public Buffer filtersChanged() {
        return FILTERS_CHANGED;
    }

    private static Buffer message(String event, String payload) {
        String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(payload));
        return Buffer.buffer(",\"event\":\"" + event + "\",\"payload\":\"" + quoted + "\"}\n");
    }

    @Override
    public boolean sends(Event.Kind kind) {
        return MastodonEvents.sends(kind);
    }

    /** The socket pings, once for all its streams. */
    @Override
    public Buffer heartbeat(String epoch, long cursor) {
        return null;
    }
}
