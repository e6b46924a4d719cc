package io.fanfare.app.listen;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;

/**
 * Reads server-sent events out of the bytes of one connection (WHATWG HTML, section 9.2.6, but for lone CR). One event
 * loop.
 */
public final class SseParser implements Handler<Buffer> {
    /** Hears of every event that has data. */
    public interface Listener {
        /** Hears of one; {@code id} is the last seen on this connection, empty when there was none. */
        void event(String id, String name, String data);

        /** An id has come alone: everything up to it has been dealt with. */
        default void moved(String id) {}

        /** When to come back, once the connection has ended. */
        default void retry(long millis) {}
    }

    private final Listener listener;
    private final RecordParser lines = RecordParser.newDelimited("\n", this::line);
    private final StringBuilder data = new StringBuilder();
    // Of the event whose lines are coming; the one before counts until they are whole.
    private String coming = "";
    private String id = "";
    private String name = "";

    public SseParser(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void handle(Buffer bytes) {
        lines.handle(bytes);
    }

    /**
     * The id of the last whole event, with or without data; empty when there was none. What is cut off does not count:
     * it comes again to whoever asks for what follows this.
     */
    public String id() {
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
            case "id" -> coming = value;
            case "retry" -> retry(value);
            case "event" -> name = value;
            case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
            default -> {
                // A comment (empty field name), which is the heartbeat, or a field that is not ours.
            }
        }
    }

    private void retry(String value) {
        if (value.matches("\\d{1,9}")) {
            listener.retry(Long.parseLong(value));
        }
    }

    private void dispatch() {
        boolean moved = !coming.equals(id);
        id = coming;
        String event = name;
        String body = data.toString();
        name = "";
        data.setLength(0);
        if (!body.isEmpty()) {
            listener.event(id, event.isEmpty() ? "message" : event, body);
        } else if (moved) {
            listener.moved(id);
        }
    }
}
