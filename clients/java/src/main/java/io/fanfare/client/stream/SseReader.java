package io.fanfare.client.stream;

import io.fanfare.client.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads server-sent events out of the bytes of one connection (WHATWG HTML, section 9.2.6). A frame has a limited size;
 * a frame that is cut off by the end of the connection does not count. One thread.
 */
final class SseReader {
    /**
     * One frame.
     *
     * @param idOrEmpty only its own id, not that of an earlier frame
     * @param name {@code message} without a name
     * @param data empty = only the position moved, or the frame has nothing
     */
    record Frame(String idOrEmpty, String name, String data) {}

    private final int frameBytesMax;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private String id = "";
    private String name = "";
    private long retryMillis = -1;
    private long lines;
    private int frameBytes;
    private boolean afterReturn;

    SseReader(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /** The newest {@code retry:}; -1 = none. */
    long retryMillis() {
        return retryMillis;
    }

    /** How many lines are whole. */
    long lines() {
        return lines;
    }

    /** @throws ProtocolException when a frame is larger than the limit */
    List<Frame> read(ByteBuffer bytes) {
        List<Frame> frames = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n' && afterReturn) {
                afterReturn = false;
                continue;
            }
            afterReturn = next == '\r';
            if (next == '\n' || next == '\r') {
                endLine(frames);
                continue;
            }
            if (++frameBytes > frameBytesMax) {
                throw new ProtocolException("the server sent an event of more than " + frameBytesMax + " bytes");
            }
            line.write(next);
        }
        return frames;
    }

    private void endLine(List<Frame> frames) {
        lines++;
        if (line.size() > 0) {
            field(line.toString(StandardCharsets.UTF_8));
            line.reset();
            return;
        }
        if (!id.isEmpty() || !data.isEmpty()) {
            frames.add(new Frame(id, name.isEmpty() ? "message" : name, data.toString()));
        }
        id = "";
        name = "";
        data.setLength(0);
        frameBytes = 0;
    }

    private void field(String text) {
        int colon = text.indexOf(':');
        String field = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + (text.startsWith(" ", colon + 1) ? 2 : 1));
        switch (field) {
            case "id" -> id = value.indexOf('\0') < 0 ? value : id;
            case "event" -> name = value;
            case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
            case "retry" -> retryMillis = value.matches("\\d{1,9}") ? Long.parseLong(value) : retryMillis;
            case "" -> frameBytes -= text.length();
            default -> {
                // A field that later versions may add.
            }
        }
    }
}
