package io.fanfare.app.replay;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;

/** Reads server-sent events out of the bytes of one connection (WHATWG HTML, section 9.2.6, but for {@code retry} and lone CR). One event loop. */
final class SseParser implements Handler<Buffer> {
    /** Hears of every event that has data. */
    interface Listener {
        /** Hears of one; {@code id} is the last seen on this connection, empty when there was none. */
        void event(String id, String name, String data);
    }

    private final Listener listener;
    private final RecordParser lines = RecordParser.newDelimited("\n", this::line);
    private final StringBuilder data = new StringBuilder();
    private String id = "";
    private String name = "";

    SseParser(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void handle(Buffer bytes) {
        lines.handle(bytes);
    }

    /** The last id seen, with or without data; empty when there was none. */
    String id() {
        return id;
    }

    private void line(Buffer bytes) {
        String line = bytes.toString(StandardCharsets.UTF_8);
        if (line.endsWith("\r")) {
            line = line.substring(0, line.length() - 1);
        }
        if (line.isEmpty()) {
            dispatch();
            return;
        }
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + (line.startsWith(" ", colon + 1) ? 2 : 1));
        switch (field) {
            case "id" -> id = value;
            case "event" -> name = value;
            case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
            default -> {
                // A comment (empty field name), which is the heartbeat, or a field that is not ours.
            }
        }
    }

    private void dispatch() {
        String event = name;
        String body = data.toString();
        name = "";
        data.setLength(0);
        if (!body.isEmpty()) {
            listener.event(id, event.isEmpty() ? "message" : event, body);
        }
    }
}
