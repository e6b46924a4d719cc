package io.fanfare.stream;

import io.fanfare.stream.wire.Dialect;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Takes the bytes of a stream apart, by the words of the specification and not by the code under test: server-sent events, lines, lengths and lines. Fails on what is none of it.
 */
final class Frames {
    /**
     * One message.
     *
     * @param id as {@code id:} says, null when the dialect has none or the event none
     * @param name of the event; empty for a block that only moves the cursor, {@code message} in Twitter's dialect, where envelopes say what it is
     * @param data its JSON, as it came
     */
    record Frame(String id, String name, String data) {}

    private final Dialect dialect;
    private final Consumer<Frame> heard;
    private Buffer rest = Buffer.buffer();
    private int due = -1;
    private String id;
    private String name = "";
    private String data = "";

    Frames(Dialect dialect, Consumer<Frame> heard) {
        this.dialect = dialect;
        this.heard = heard;
    }

    void take(Buffer bytes) {
        Buffer all = rest.length() == 0 ? bytes : rest.appendBuffer(bytes);
        int from = 0;
        for (int end = end(all, from); end >= 0; end = end(all, from)) {
            String line = new String(all.getBytes(from, end), StandardCharsets.UTF_8);
            from = end;
            line(line);
        }
        rest = Buffer.buffer(all.getBytes(from, all.length()));
    }

    /** End of the next whole line, or of as many bytes as were announced; -1 = not all here. */
    private int end(Buffer all, int from) {
        if (due >= 0) {
            return all.length() - from >= due ? from + due : -1;
        }
        for (int i = from; i < all.length(); i++) {
            if (all.getByte(i) == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private void line(String line) {
        switch (dialect) {
            case NATIVE, MASTODON -> field(line.substring(0, line.length() - 1));
            case LINES, TWITTER -> message(line);
            case LENGTHS_AND_LINES, LENGTHS_AND_TWITTER -> lengthOrMessage(line);
            case MASTODON_SOCKET -> throw new IllegalStateException("no stream of bytes");
        }
    }

    private void field(String line) {
        if (line.isEmpty()) {
            heard.accept(new Frame(id, name, data));
            id = null;
            name = "";
            data = "";
        } else if (line.startsWith("id: ")) {
            id = line.substring(4);
        } else if (line.startsWith("event: ")) {
            name = line.substring(7);
        } else if (line.startsWith("data: ")) {
            data = line.substring(6);
        } else if (!line.startsWith(":") && !line.startsWith("retry: ")) {
            throw new IllegalStateException("not a field: " + line);
        }
    }

    private void lengthOrMessage(String line) {
        if (due >= 0) {
            due = -1;
            message(line);
        } else if (!line.equals("\r\n")) {
            due = Integer.parseInt(line.substring(0, line.length() - 2));
        }
    }

    private void message(String line) {
        if (line.equals("\r\n")) {
            return;
        }
        if (!line.startsWith("{") || !line.endsWith("}\r\n")) {
            throw new IllegalStateException("not a message: " + line);
        }
        String json = line.substring(0, line.length() - 2);
        if (dialect == Dialect.TWITTER || dialect == Dialect.LENGTHS_AND_TWITTER) {
            heard.accept(new Frame(null, "message", json));
            return;
        }
        int from = json.indexOf("\"data\":");
        String head = json.substring(0, from);
        heard.accept(new Frame(text(head, "id"), text(head, "event"), json.substring(from + 7, json.length() - 1)));
    }

    /** The text of a field; null when it is not there. */
    static String text(String json, String field) {
        int at = json.indexOf("\"" + field + "\":\"");
        int from = at + field.length() + 4;
        return at < 0 ? null : json.substring(from, json.indexOf('"', from));
    }
}
