package io.fanfare.stream;

import java.nio.charset.StandardCharsets;

/**
 * The answer to one HTTP request as it comes in from the socket: its status, then its body in chunks, of a length, or
 * whatever comes when the protocol is another from then on. Hands the body on as it comes, unpacked.
 */
final class Answer {
    private static final int HEAD_MAX = 8192;

    private enum Part {
        HEAD,
        SIZE,
        CHUNK,
        CHUNK_END,
        REST,
        SWITCHED,
        END
    }

    private final Frames body;
    private Gunzip gunzip; // null = the body is not compressed
    private final StringBuilder head = new StringBuilder();
    private Part part = Part.HEAD;
    private int status;
    private long left;

    Answer(Frames body) {
        this.body = body;
    }

    /** 0 while the head is not complete. */
    public int status() {
        return status;
    }

    /** Whether the body is complete. */
    boolean ended() {
        return part == Part.END;
    }

    void take(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && part != Part.END) {
            switch (part) {
                case HEAD -> head((char) bytes[at++]);
                case SIZE -> size(bytes[at++]);
                case CHUNK_END -> part = bytes[at++] == '\n' ? next() : part;
                case CHUNK, REST -> {
                    int piece = (int) Math.min(to - at, left);
                    left -= piece;
                    boolean chunk = part == Part.CHUNK;
                    if (left == 0) {
                        part = chunk ? Part.CHUNK_END : Part.END;
                    }
                    if (chunk && gunzip != null) {
                        gunzip.take(bytes, at, at + piece, body::take);
                    } else if (chunk) {
                        body.take(bytes, at, at + piece);
                    }
                    at += piece;
                }
                case SWITCHED -> {
                    body.take(bytes, at, to);
                    at = to;
                }
                case END -> throw new IllegalStateException("bytes behind the end");
            }
        }
    }

    private Part next() {
        left = 0;
        return Part.SIZE;
    }

    private void head(char c) {
        head.append(c);
        if (head.length() > HEAD_MAX) {
            throw new IllegalStateException("the head does not end");
        }
        if (c != '\n' || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            return;
        }
        String all = head.toString().toLowerCase(java.util.Locale.ROOT);
        status = Integer.parseInt(all.substring(9, 12));
        int length = all.indexOf("content-length: ");
        gunzip = all.contains("content-encoding: gzip\r\n") ? new Gunzip() : null;
        if (status == 101) {
            part = Part.SWITCHED;
        } else if (length < 0) {
            part = next();
        } else {
            left = Long.parseLong(all.substring(length + 16, all.indexOf('\r', length)));
            part = left == 0 ? Part.END : Part.REST;
        }
    }

    private void size(byte digit) {
        if (digit == '\n') {
            part = left == 0 ? Part.END : Part.CHUNK;
        } else if (digit != '\r') {
            int value = Character.digit(digit, 16);
            if (value < 0) {
                throw new IllegalStateException(
                        "not the size of a chunk: " + new String(new byte[] {digit}, StandardCharsets.ISO_8859_1));
            }
            left = left << 4 | value;
        }
    }
}
