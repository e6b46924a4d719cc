package io.fanfare.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Finds the end of HTTP/1.1 responses that come one after the other on a connection, as cheaply as a load generator
 * must. Knows Content-Length only.
 */
final class ResponseReader {
    private static final int HEAD_MAX = 16 << 10;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private final byte[] head = new byte[HEAD_MAX];
    private int headLength;
    private int status;
    private long bodyLength;
    private long bodyLeft = -1;

    /** Hears of every response that is complete. */
    interface Listener {
        void response(int status, long bodyLength);
    }

    /**
     * Takes the next bytes of the connection, as many as {@code length}; throws {@link IllegalStateException} on what
     * it does not understand.
     */
    void read(byte[] bytes, int length, Listener listener) {
        int at = 0;
        while (at < length) {
            at = bodyLeft < 0 ? readHead(bytes, at, length) : readBody(at, length);
            if (bodyLeft == 0) {
                bodyLeft = -1;
                listener.response(status, bodyLength);
            }
        }
    }

    private int readBody(int at, int length) {
        int take = (int) Math.min(bodyLeft, length - at);
        bodyLeft -= take;
        return at + take;
    }

    private int readHead(byte[] bytes, int from, int length) {
        int take = Math.min(length - from, HEAD_MAX - headLength);
        System.arraycopy(bytes, from, head, headLength, take);
        int end = end(Math.max(3, headLength), headLength + take);
        if (end < 0 && headLength + take == HEAD_MAX) {
            throw new IllegalStateException("response head over " + HEAD_MAX + " bytes");
        }
        if (end < 0) {
            headLength += take;
            return length;
        }
        parseHead(end);
        int taken = end - headLength;
        headLength = 0;
        return from + taken;
    }

    /** Behind the empty line, which ends at {@code from} or later; -1 = it has not come. */
    private int end(int from, int to) {
        for (int at = from; at < to; at++) {
            if (head[at] == '\n' && head[at - 1] == '\r' && head[at - 2] == '\n') {
                return at + 1;
            }
        }
        return -1;
    }

    private void parseHead(int end) {
        status = (int) number(STATUS_AT);
        for (int at = 1; at + LENGTH.length < end; at++) {
            if (head[at - 1] == '\n' && isLength(at)) {
                bodyLength = number(at + LENGTH.length);
                bodyLeft = bodyLength;
                return;
            }
        }
        throw new IllegalStateException("response without Content-Length, status " + status);
    }

    private boolean isLength(int at) {
        for (int i = 0; i < LENGTH.length; i++) {
            if ((head[at + i] | 0x20) != (LENGTH[i] | 0x20)) {
                return false;
            }
        }
        return true;
    }

    /** The digits here, behind spaces. */
    private long number(int from) {
        int at = from;
        while (head[at] == ' ') {
            at++;
        }
        long value = 0;
        while (head[at] >= '0' && head[at] <= '9') {
            value = value * 10 + head[at] - '0';
            at++;
        }
        return value;
    }
}
