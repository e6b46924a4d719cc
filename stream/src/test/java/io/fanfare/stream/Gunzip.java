package io.fanfare.stream;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Unpacks one member of gzip as it comes, and checks its beginning and its end (RFC 1952). */
public final class Gunzip {
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0};
    private static final int HEAD_BYTES = 10;
    private static final int END_BYTES = 8;

    private final Inflater inflater = new Inflater(/* nowrap= */ true);
    private final CRC32 crc = new CRC32();
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final ByteArrayOutputStream end = new ByteArrayOutputStream();
    private final byte[] out = new byte[64 << 10];

    /** Takes what has been unpacked. */
    public interface Text {
        void take(byte[] bytes, int from, int to);
    }

    /** Unpacks all of these bytes. */
    public void take(byte[] bytes, int from, int to, Text text) {
        int at = from;
        while (at < to && head.size() < HEAD_BYTES) {
            head.write(bytes[at++]);
        }
        if (head.size() == HEAD_BYTES
                && ByteBuffer.wrap(head.toByteArray()).mismatch(ByteBuffer.wrap(HEAD)) < HEAD.length) {
            throw new IllegalStateException("not the beginning of gzip");
        }
        inflater.setInput(bytes, at, to - at);
        try {
            for (int length = inflater.inflate(out); length > 0; length = inflater.inflate(out)) {
                crc.update(out, 0, length);
                text.take(out, 0, length);
            }
        } catch (DataFormatException e) {
            throw new IllegalStateException("not deflate", e);
        }
        if (inflater.finished()) {
            end.write(bytes, to - inflater.getRemaining(), inflater.getRemaining());
            if (end.size() > END_BYTES) {
                throw new IllegalStateException("bytes behind the end");
            }
            // Only the trailer follows.
            inflater.setInput(new byte[0]);
        }
    }

    /** Whether the end has come, with the checksum and the length of all that has been unpacked. */
    public boolean endsWell() {
        ByteBuffer numbers = ByteBuffer.wrap(end.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        return numbers.remaining() == END_BYTES
                && numbers.getInt() == (int) crc.getValue()
                && numbers.getInt() == (int) inflater.getBytesWritten();
    }
}
