package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * Server-sent events exactly as Mastodon's clients parse them: each event has both {@code event:} and {@code data:}, a
 * delete is the bare id, the heartbeat is one comment line with no blank line after it (a client in use dies of an
 * empty dispatch), and there are no ids and no {@code retry:}.
 *
 * <pre>{@code
 * :)
 * event: update
 * data: {"id":"281474976710656",...}
 *
 * :thump
 * event: delete
 * data: 281474976710656
 *
 * }</pre>
 */
final class MastodonSse implements DialectWriter {
    private static final Buffer GREETING = Buffer.buffer(":)\n");
    private static final Buffer HEARTBEAT = Buffer.buffer(":thump\n");
    private static final Buffer FILTERS_CHANGED = Buffer.buffer("event: filters_changed\ndata: undefined\n\n");

    @Override
    public String contentType() {
        return EVENT_STREAM;
    }

    @Override
    public Buffer greeting(Hello hello) {
        return GREETING;
    }

    @Override
    public boolean sends(Event.Kind kind) {
        return MastodonEvents.sends(kind);
    }

    @Override
    public Buffer heartbeat(String epoch, long cursor) {
        return HEARTBEAT;
    }

    @Override
    public Buffer filtersChanged() {
        return FILTERS_CHANGED;
    }

    @Override
    public Buffer event(LoggedEvent logged) {
        Event event = logged.event();
        return Buffer.buffer(
                "event: " + MastodonEvents.name(event.kind()) + "\ndata: " + MastodonEvents.payload(event) + "\n\n");
    }
}
