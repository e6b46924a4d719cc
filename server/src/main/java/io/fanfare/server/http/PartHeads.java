package io.fanfare.server.http;

import java.nio.charset.StandardCharsets;

/**
 * Finds the ends of the heads of parts in a multipart body: the first blank line behind a line that begins with
 * {@code --} and the boundary. Confined to one event loop.
 */
final class PartHeads {
    private enum Place {
        /** Before the first part, or in a part that is no file. */
        TEXT,
        /** In the line of a delimiter, behind its boundary. */
        DELIMITER,
        HEAD
    }

    private final byte[] delimiter;
    private Place place = Place.TEXT;

    /** The state of the line: bytes of the delimiter, -1 when it is none; in a head, bytes that are no CR. */
    private int line;

    /** Bytes before the first part. */
    private long before;

    private boolean begun;

    PartHeads(String boundary) {
        this.delimiter = ("--" + boundary).getBytes(StandardCharsets.UTF_8);
    }

    /** Continues behind the boundary of a delimiter. */
    void inDelimiter() {
        place = Place.DELIMITER;
    }

    /** How many bytes stand before the first part, as far as is known: they are of no use to anybody. */
    long bytesBefore() {
        return before;
    }

    /** Reads on: the index behind the end of a head, or -1. */
    int read(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (isEndOfHead(bytes[i])) {
                return i + 1;
            }
        }
        return -1;
    }

    private boolean isEndOfHead(byte next) {
        before += begun ? 0 : 1;
        if (next == '\n') {
            boolean ends = place == Place.HEAD && line == 0;
            place = ends ? Place.TEXT : place == Place.DELIMITER ? Place.HEAD : place;
            line = 0;
            return ends;
        }
        if (place == Place.HEAD) {
            line += next == '\r' ? 0 : 1;
        } else if (place == Place.TEXT && line >= 0) {
            line = next == delimiter[line] ? line + 1 : -1;
            if (line == delimiter.length) {
                place = Place.DELIMITER;
                before -= begun ? 0 : line;
                begun = true;
            }
        }
        return false;
    }
}
