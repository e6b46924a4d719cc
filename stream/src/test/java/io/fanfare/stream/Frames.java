package io.fanfare.stream;

import io.fanfare.stream.wire.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Takes the bytes of a stream apart, by the words of the specification and not by the code under test: server-sent
 * events, lines, lengths and lines, frames of a WebSocket. Looks at each byte once and makes nothing of it, so that one
 * thread can listen for a thousand clients. Fails on what is none of it.
 */
final class Frames {
    /**
     * The name of a message. {@code MESSAGE}: Twitter's dialect, where envelopes name the kind. {@code CURSOR}: a block
     * that only moves the cursor. The last four are a socket's.
     */
    enum Name {
        CURSOR,
        MESSAGE,
        HELLO,
        STATUS,
        UPDATE,
        DELETE,
        FOLLOW,
        UNFOLLOW,
        NOTIFICATION,
        LIMIT,
        WARNING,
        GAP,
        DISCONNECT,
        ERROR,
        PING,
        PONG,
        CLOSE
    }

    /** The receiver; it may read the content of a message while it is called. */
    interface Ear {
        void received(Name name);
    }

    /** No {@code id:}. */
    static final long NO_CURSOR = -1;

    private static final Name[] NAMES = Name.values();
    private static final byte[][] WORDS = Stream.of(NAMES)
            .map(name -> ascii(name.name().toLowerCase(Locale.ROOT)))
            .toArray(byte[][]::new);
    private static final byte[] ID = ascii("id: ");
    private static final byte[] EVENT = ascii("event: ");
    private static final byte[] DATA = ascii("data: ");
    private static final byte[] RETRY = ascii("retry: ");
    private static final byte[] LINE_EVENT = ascii("{\"event\":\"");
    private static final byte[] LINE_ID = ascii("\",\"id\":\"");
    private static final byte[] LINE_DATA = ascii("\",\"data\":");
    private static final byte[] SOCKET_STREAM = ascii("{\"stream\":");
    private static final byte[] SOCKET_EVENT = ascii(",\"event\":\"");
    private static final byte[] SOCKET_PAYLOAD = ascii("\",\"payload\":\"");
    private static final byte[] SOCKET_ERROR = ascii("{\"error\":");

    private final Dialect dialect;
    private final Ear ear;
    private byte[] held = new byte[512];
    private int start;
    private int at;
    private int looked;
    private int end;
    private int due = -1;

    private long cursor = NO_CURSOR;
    private Name name = Name.CURSOR;
    private String stream = "";
    private int dataFrom;
    private int dataTo;

    Frames(Dialect dialect, Ear ear) {
        this.dialect = dialect;
        this.ear = ear;
    }

    /** The cursor of an {@code id:}, epoch in front: {@code <8 hex>-<seq>} in one number. */
    static long cursor(int epoch, long seq) {
        return (long) epoch << 32 | seq;
    }

    /** The other way round. */
    static String cursorText(long cursor) {
        return String.format("%08x-%d", (int) (cursor >>> 32), cursor & 0xffff_ffffL);
    }

    /** The cursor of the current message; {@link #NO_CURSOR} when it has none. */
    long cursor() {
        return cursor;
    }

    /** To which of a socket's streams it belongs, as JSON. */
    String stream() {
        return stream;
    }

    /** Checksum of its data and what kind of thing it is. */
    int digest() {
        return digest(held, dataFrom, dataTo);
    }

    static int digest(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    /** Its data. */
    String data() {
        return new String(held, dataFrom, dataTo - dataFrom, StandardCharsets.UTF_8);
    }

    boolean dataStartsWith(byte[] bytes) {
        return starts(bytes, dataFrom, dataTo);
    }

    /** The number at the beginning of the data, behind so many bytes. */
    long number(int behind) {
        int i = dataFrom + behind;
        long number = 0;
        while (i < dataTo && held[i] >= '0' && held[i] <= '9') {
            number = number * 10 + held[i++] - '0';
        }
        return number;
    }

    void take(byte[] bytes, int from, int to) {
        makeRoom(to - from);
        System.arraycopy(bytes, from, held, end, to - from);
        end += to - from;
        for (int next = next(); next >= 0; next = next()) {
            int line = at;
            at = next;
            looked = next;
            line(line, next);
        }
        if (start == end) {
            start = 0;
            at = 0;
            looked = 0;
            end = 0;
        }
    }

    private void makeRoom(int more) {
        if (end + more <= held.length) {
            return;
        }
        byte[] roomier = end - start + more > held.length ? new byte[(end - start + more) * 2] : held;
        System.arraycopy(held, start, roomier, 0, end - start);
        held = roomier;
        dataFrom -= start;
        dataTo -= start;
        at -= start;
        looked -= start;
        end -= start;
        start = 0;
    }

    /** End of the next whole line, or of as many bytes as were announced; -1 = not all here. */
    private int next() {
        if (dialect == Dialect.MASTODON_SOCKET) {
            return frameEnd();
        }
        if (due >= 0) {
            return end - at >= due ? at + due : -1;
        }
        while (looked < end) {
            if (held[looked++] == '\n') {
                return looked;
            }
        }
        return -1;
    }

    private void line(int from, int to) {
        switch (dialect) {
            case NATIVE, MASTODON -> field(from, to - 1);
            case LINES, TWITTER, TWITTER_EXTENDED -> message(from, to);
            case LENGTHS_AND_LINES, LENGTHS_AND_TWITTER, LENGTHS_AND_TWITTER_EXTENDED -> lengthOrMessage(from, to);
            case MASTODON_SOCKET -> frame(from, to);
        }
    }

    private void field(int from, int to) {
        if (from == to) {
            pass();
        } else if (starts(ID, from, to)) {
            cursor = cursorAt(from + ID.length, to);
        } else if (starts(EVENT, from, to)) {
            name = nameAt(from + EVENT.length, to);
        } else if (starts(DATA, from, to)) {
            dataFrom = from + DATA.length;
            dataTo = to;
        } else if (held[from] != ':' && !starts(RETRY, from, to)) {
            throw new IllegalStateException("not a field: " + text(from, to));
        } else if (start == from) {
            start = at;
        }
    }

    private void pass() {
        ear.received(name);
        forget();
    }

    private void forget() {
        cursor = NO_CURSOR;
        name = Name.CURSOR;
        dataFrom = 0;
        dataTo = 0;
        start = at;
    }

    private void lengthOrMessage(int from, int to) {
        if (due >= 0) {
            due = -1;
            message(from, to);
        } else {
            due = to - from == 2 ? -1 : Integer.parseInt(text(from, to - 2));
            start = at;
        }
    }

    private void message(int from, int to) {
        if (to - from == 2 && held[from] == '\r') {
            start = at;
            return;
        }
        if (to - from < 4 || held[from] != '{' || held[to - 3] != '}' || held[to - 2] != '\r' || held[to - 1] != '\n') {
            throw new IllegalStateException("not a message: " + text(from, to));
        }
        if (dialect.knowsBasic()) {
            name = Name.MESSAGE;
            dataFrom = from;
            dataTo = to - 2;
        } else {
            wrapped(from, to - 3);
        }
        pass();
    }

    /** {@code {"event":"status","id":"5f3a9c01-42","data":{...}}} without its last brace. */
    private void wrapped(int from, int to) {
        int start = from + LINE_EVENT.length;
        int i = indexOf('"', start, to);
        if (!starts(LINE_EVENT, from, to) || i < 0) {
            throw new IllegalStateException("not an event: " + text(from, to));
        }
        name = nameAt(start, i);
        if (starts(LINE_ID, i, to)) {
            int id = i + LINE_ID.length;
            i = indexOf('"', id, to);
            cursor = cursorAt(id, i);
        }
        if (!starts(LINE_DATA, i, to)) {
            throw new IllegalStateException("no data: " + text(from, to));
        }
        dataFrom = i + LINE_DATA.length;
        dataTo = to;
    }

    /** Frames of a server are not masked, and these are not in pieces. */
    private int frameEnd() {
        if (end - at < 2) {
            return -1;
        }
        int length = held[at + 1];
        if (held[at] >= 0 || length < 0 || length > 126) {
            throw new IllegalStateException("not a frame: " + held[at] + " " + length);
        }
        int head = length < 126 ? 2 : 4;
        if (end - at < head) {
            return -1;
        }
        int whole = head == 2 ? 2 + length : 4 + (((held[at + 2] & 0xff) << 8) | (held[at + 3] & 0xff));
        return end - at < whole ? -1 : at + whole;
    }

    private void frame(int from, int to) {
        dataFrom = from + (held[from + 1] < 126 ? 2 : 4);
        dataTo = to;
        switch (held[from] & 0xf) {
            case 1 -> streamed(dataFrom, to);
            case 8 -> name = Name.CLOSE;
            case 9 -> name = Name.PING;
            case 10 -> name = Name.PONG;
            default -> throw new IllegalStateException("not a frame: " + held[from]);
        }
        pass();
    }

    /** {@code {"stream":["hashtag","news"],"event":"update","payload":"{\"id\":...}"}} */
    private void streamed(int from, int to) {
        if (starts(SOCKET_ERROR, from, to)) {
            name = Name.ERROR;
            return;
        }
        int words = from + SOCKET_STREAM.length;
        int i = indexOf(']', words, to) + 1;
        int start = i + SOCKET_EVENT.length;
        int data = indexOf('"', start, to);
        if (!starts(SOCKET_STREAM, from, to) || !starts(SOCKET_EVENT, i, to) || !starts(SOCKET_PAYLOAD, data, to)) {
            throw new IllegalStateException("not of a stream: " + text(from, to));
        }
        stream = text(words, i);
        name = nameAt(start, data);
        dataFrom = data + SOCKET_PAYLOAD.length;
        dataTo = unescape(dataFrom, to - 2);
    }

    /** In place; answers the new end. Of what has to be escaped, JSON has nothing but this. */
    private int unescape(int from, int to) {
        int end = from;
        for (int i = from; i < to; i++) {
            boolean escaped = held[i] == '\\';
            i += escaped ? 1 : 0;
            if (escaped && held[i] != '"' && held[i] != '\\') {
                throw new IllegalStateException("not escaped: " + text(from, to));
            }
            held[end++] = held[i];
        }
        return end;
    }

    private long cursorAt(int from, int to) {
        if (to - from < 10 || held[from + 8] != '-') {
            throw new IllegalStateException("not a cursor: " + text(from, to));
        }
        int epoch = 0;
        for (int i = from; i < from + 8; i++) {
            epoch = epoch << 4 | Character.digit(held[i], 16);
        }
        long seq = 0;
        for (int i = from + 9; i < to; i++) {
            seq = seq * 10 + held[i] - '0';
        }
        return cursor(epoch, seq);
    }

    private Name nameAt(int from, int to) {
        for (int i = 0; i < NAMES.length; i++) {
            if (WORDS[i].length == to - from && starts(WORDS[i], from, to)) {
                return NAMES[i];
            }
        }
        throw new IllegalStateException("not an event: " + text(from, to));
    }

    private boolean starts(byte[] bytes, int from, int to) {
        return to - from >= bytes.length && Arrays.equals(held, from, from + bytes.length, bytes, 0, bytes.length);
    }

    private int indexOf(char c, int from, int to) {
        for (int i = from; i < to; i++) {
            if (held[i] == c) {
                return i;
            }
        }
        return -1;
    }

    private String text(int from, int to) {
        return new String(held, from, to - from, StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
