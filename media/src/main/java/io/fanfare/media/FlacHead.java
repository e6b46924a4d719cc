package io.fanfare.media;

import io.fanfare.common.model.ClipFormat;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The first block of a FLAC file (RFC 9639). */
final class FlacHead {
    private static final int HEAD_BYTES = 42;
    private static final int INFO_BYTES = 34;

    /** The offset of the block of the head, behind the name of the format and its own head. */
    private static final int INFO_AT = 8;

    private FlacHead() {}

    static ClipHead read(ClipFile file, long at) throws IOException {
        ByteBuffer head = file.at(at, HEAD_BYTES);
        boolean info = (head.get(4) & 0x7f) == 0 && (head.getInt(4) & 0xffffff) == INFO_BYTES;
        int rate = rate(head, INFO_AT);
        if (!info || rate == 0) {
            throw ClipHead.broken();
        }
        long samples = head.getLong(INFO_AT + 10) & 0xfffffffffL;
        return ClipHead.sound(ClipFormat.FLAC, (double) samples / rate);
    }

    /** Samples a second that a block says which begins here. */
    static int rate(ByteBuffer bytes, int at) {
        return ((bytes.get(at + 10) & 0xff) << 12)
                | ((bytes.get(at + 11) & 0xff) << 4)
                | ((bytes.get(at + 12) & 0xff) >> 4);
    }
}
