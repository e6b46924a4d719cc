package io.fanfare.media;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The one entry of EXIF that is not thrown away: how the camera was held. Reads nothing else of it. */
final class ExifOrientation {
    private static final int UPRIGHT = 1;
    private static final int TAG = 0x0112;
    private static final int SHORT = 3;
    private static final int ENTRY_BYTES = 12;
    private static final byte[] EXIF = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);

    private ExifOrientation() {}

    /** The orientation in the body of an application segment of a JPEG. */
    static int ofApp1(byte[] body) {
        if (body.length < EXIF.length) {
            return UPRIGHT;
        }
        for (int i = 0; i < EXIF.length; i++) {
            if (body[i] != EXIF[i]) {
                return UPRIGHT;
            }
        }
        return of(ByteBuffer.wrap(body, EXIF.length, body.length - EXIF.length).slice());
    }

    /** The orientation in a chunk of a WebP; some programs begin the chunk as in a JPEG. */
    static int ofChunk(byte[] body) {
        boolean asInJpeg = body.length > 0 && body[0] == EXIF[0];
        return asInJpeg ? ofApp1(body) : of(ByteBuffer.wrap(body));
    }

    /** The orientation in EXIF as it stands in a chunk of a PNG. Nonsense counts as upright. */
    static int of(ByteBuffer tiff) {
        if (tiff.limit() < 8) {
            return UPRIGHT;
        }
        int mark = tiff.getShort(0);
        if (mark != 0x4949 && mark != 0x4d4d) {
            return UPRIGHT;
        }
        tiff.order(mark == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        long directory = tiff.getInt(4) & 0xffffffffL;
        if (tiff.getShort(2) != 42 || directory + 2 > tiff.limit()) {
            return UPRIGHT;
        }
        int entries = tiff.getShort((int) directory) & 0xffff;
        for (int i = 0; i < entries; i++) {
            long at = directory + 2 + (long) i * ENTRY_BYTES;
            if (at + ENTRY_BYTES > tiff.limit()) {
                return UPRIGHT;
            }
            if ((tiff.getShort((int) at) & 0xffff) == TAG) {
                int value = tiff.getShort((int) at + 8) & 0xffff;
                boolean known = tiff.getShort((int) at + 2) == SHORT && value >= 1 && value <= 8;
                return known ? value : UPRIGHT;
            }
        }
        return UPRIGHT;
    }
}
