package io.fanfare.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Finds the end of a file in a multipart body: a line that begins with {@code --} and the boundary. Each byte is looked
 * at twice at most, whatever the file and the boundary are; Netty's decoder begins again at each line end and each
 * dash. Confined to one event loop.
 */
final class FileContent {
    private final byte[] delimiter;

    /** Bytes of the delimiter that the last ones seen may be. */
    private int matched;

    /** Whether a CR stands before those: it belongs to the delimiter, if that is one. */
    private boolean afterReturn;

    /** The bytes of both that earlier pieces brought. */
    private int matchedBefore;

    private boolean returnBefore;

    /** @param boundary of the body; only the first byte of a delimiter is a line end */
    FileContent(String boundary) {
        this.delimiter = ("\n--" + boundary).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads on.
     *
     * @param file gets what surely belongs to the file
     * @return the index behind the delimiter; -1 = the file goes on
     */
    int read(byte[] bytes, int from, int to, ByteArrayOutputStream file) {
        for (int i = from; i < to; i++) {
            byte next = bytes[i];
            if (matched > 0 && next != delimiter[matched]) {
                release(file);
            }
            if (next != delimiter[matched]) {
                if (afterReturn) {
                    release(file);
                }
                afterReturn = next == '\r';
            } else if (++matched == delimiter.length) {
                write(bytes, from, i + 1 - looksLikeEnd(), file);
                matched = 0;
                afterReturn = false;
                keep();
                return i + 1;
            }
        }
        write(bytes, from, to - looksLikeEnd(), file);
        keep();
        return -1;
    }

    /** How many of the last bytes may be a delimiter. */
    private int looksLikeEnd() {
        return matched + (afterReturn ? 1 : 0);
    }

    /** They are none. What came with earlier pieces is written, and the rest with its piece. */
    private void release(ByteArrayOutputStream file) {
        if (returnBefore) {
            file.write('\r');
        }
        if (matchedBefore > 0) {
            file.write(delimiter, 0, matchedBefore);
        }
        matched = 0;
        afterReturn = false;
        keep();
    }

    private void keep() {
        matchedBefore = matched;
        returnBefore = afterReturn;
    }

    private static void write(byte[] bytes, int from, int to, ByteArrayOutputStream file) {
        if (to > from) {
            file.write(bytes, from, to - from);
        }
    }
}
