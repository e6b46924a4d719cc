package io.fanfare.media;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Copies the chunks of a PNG that a picture needs: head, palette, transparency, data. Chunks of text, profiles and
 * animation stay behind. Their sums are left to the decoder.
 */
final class PngCopier {
    private static final int SIGNATURE_BYTES = 8;
    private static final int SUM_BYTES = 4;
    private static final int HEAD_BYTES = 13;
    private static final int PALETTE_BYTES_MAX = 3 * 256;

    /** Deflate packs 258 bytes into two bits, at the most. */
    private static final int BYTES_OF_BYTE = 1032;

    private static final int EXIF_BYTES_MAX = 64 << 10;
    private static final int IHDR = 0x49484452;
    private static final int PLTE = 0x504c5445;
    private static final int TRNS = 0x74524e53;
    private static final int IDAT = 0x49444154;
    private static final int IEND = 0x49454e44;
    private static final int EXIF = 0x65584966;

    private PngCopier() {}

    static PictureHead copy(DataInputStream in, DataOutputStream out) throws IOException {
        out.write(PictureCopier.readExactly(in, SIGNATURE_BYTES));
        int width = 0;
        int height = 0;
        long unpacked = 0;
        long data = 0;
        int orientation = 1;
        while (true) {
            int length = in.readInt();
            int type = in.readInt();
            boolean first = width == 0;
            if (length < 0 || first != (type == IHDR)) {
                throw PictureHead.broken();
            }
            switch (type) {
                case IHDR -> {
                    if (length != HEAD_BYTES) {
                        throw PictureHead.broken();
                    }
                    byte[] head = PictureCopier.readExactly(in, HEAD_BYTES);
                    width = ByteBuffer.wrap(head).getInt(0);
                    height = ByteBuffer.wrap(head).getInt(4);
                    if (width <= 0 || height <= 0) {
                        throw PictureHead.broken();
                    }
                    unpacked = height * (1 + ((long) width * bits(head[8], head[9]) + 7) / 8);
                    out.writeInt(length);
                    out.writeInt(type);
                    out.write(head);
                    PictureCopier.copy(in, out, SUM_BYTES);
                }
                case PLTE, TRNS -> {
                    if (length > PALETTE_BYTES_MAX) {
                        throw PictureHead.broken();
                    }
                    copyChunk(in, out, length, type);
                }
                case IDAT -> {
                    data += length;
                    copyChunk(in, out, length, type);
                }
                case IEND -> {
                    copyChunk(in, out, 0, type);
                    PictureHead.checkHolds(data, BYTES_OF_BYTE, unpacked);
                    return new PictureHead(PictureFormat.PNG, width, height, orientation);
                }
                case EXIF -> {
                    int read = Math.min(length, EXIF_BYTES_MAX);
                    orientation = ExifOrientation.of(ByteBuffer.wrap(PictureCopier.readExactly(in, read)));
                    PictureHead.skip(in, (long) length - read + SUM_BYTES);
                }
                default -> PictureHead.skip(in, (long) length + SUM_BYTES);
            }
        }
    }

    /** Bits of a pixel: the depth of a sample times the samples of the colour type. */
    private static int bits(int depth, int colourType) {
        int samples =
                switch (colourType) {
                    case 0, 3 -> 1;
                    case 2 -> 3;
                    case 4 -> 2;
                    case 6 -> 4;
                    default -> throw PictureHead.broken();
                };
        boolean small = depth == 1 || depth == 2 || depth == 4;
        if (depth != 8 && !(depth == 16 && colourType != 3) && !(small && samples == 1)) {
            throw PictureHead.broken();
        }
        return depth * samples;
    }

    private static void copyChunk(DataInputStream in, DataOutputStream out, int length, int type) throws IOException {
        out.writeInt(length);
        out.writeInt(type);
        PictureCopier.copy(in, out, (long) length + SUM_BYTES);
    }
}
