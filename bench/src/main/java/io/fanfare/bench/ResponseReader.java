package io.fanfare.bench;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Finds the end of HTTP/1.1 responses that come one after the other on a connection, as cheaply as a load generator must. Knows Content-Length only. */
final class ResponseReader {
    private static final int HEAD_MAX = 16 << 10;
    private static final String LENGTH = "content-length:";

    private final byte[] head = new byte[HEAD_MAX];
    private int headLength;
    private int status;
    private long bodyLength;
    private long bodyLeft = -1;

    /** Hears of every response that is complete. */
    interface Listener {
        void response(int status, long bodyLength);
    }

    /** Takes the next bytes of the connection; throws {@link IllegalStateException} on what it does not understand. */
    void read(Buffer bytes, Listener listener) {
        int at = 0;
        while (at < bytes.length()) {
            at = bodyLeft < 0 ? readHead(bytes, at) : readBody(bytes, at);
            if (bodyLeft == 0) {
                bodyLeft = -1;
                listener.response(status, bodyLength);
            }
        }
    }

    private int readBody(Buffer bytes, int at) {
        int take = (int) Math.min(bodyLeft, bytes.length() - at);
        bodyLeft -= take;
        return at + take;
    }

    private int readHead(Buffer bytes, int from) {
        for (int at = from; at < bytes.length(); at++) {
            if (headLength == HEAD_MAX) {
                throw new IllegalStateException("response head over " + HEAD_MAX + " bytes");
            }
            head[headLength++] = bytes.getByte(at);
            if (headLength >= 4
                    && head[headLength - 1] == '\n'
                    && head[headLength - 2] == '\r'
                    && head[headLength - 3] == '\n') {
                parseHead();
                headLength = 0;
                return at + 1;
            }
        }
        return bytes.length();
    }

    private void parseHead() {
        String text = new String(head, 0, headLength, StandardCharsets.ISO_8859_1);
        status = Integer.parseInt(text.substring(9, 12));
        int length = text.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        if (length < 0) {
            throw new IllegalStateException("response without Content-Length: "
                    + text.lines().findFirst().orElse(""));
        }
        int end = text.indexOf('\r', length);
        bodyLength =
                Long.parseLong(text.substring(length + LENGTH.length(), end).strip());
        bodyLeft = bodyLength;
    }
}
