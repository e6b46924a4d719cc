package io.fanfare.media;

import io.fanfare.common.model.ClipFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The chunks of a WAV file that have its length. */
final class WaveHead {
    private static final int RIFF_HEAD = 12;
    private static final int CHUNK_HEAD = 8;
    private static final int FORMAT_BYTES = 16;

    private WaveHead() {}

    static ClipHead read(ClipFile file) throws IOException {
        if (!ClipFile.is(file.at(0, RIFF_HEAD), 8, "WAVE")) {
            throw ClipHead.broken();
        }
        long bytesPerSecond = 0;
        long at = RIFF_HEAD;
        while (at + CHUNK_HEAD <= file.bytes()) {
            ByteBuffer head = file.at(at, CHUNK_HEAD).order(ByteOrder.LITTLE_ENDIAN);
            long length = head.getInt(4) & 0xffffffffL;
            at += CHUNK_HEAD;
            if (ClipFile.is(head, 0, "fmt ")) {
                ByteBuffer format = file.at(at, FORMAT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                bytesPerSecond = format.getInt(8) & 0xffffffffL;
            } else if (ClipFile.is(head, 0, "data")) {
                if (bytesPerSecond == 0) {
                    break;
                }
                // Who has recorded it as a stream could not say its length.
                return ClipHead.sound(ClipFormat.WAVE, (double) Math.min(length, file.bytes() - at) / bytesPerSecond);
            }
            at += length + (length & 1);
        }
        throw ClipHead.broken();
    }
}
