package io.fanfare.common.media;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Copies the picture of a WebP: the chunk with its data, with that of its transparency. Of an animation the first frame
 * is taken. The size is that of the data, which is what a decoder allocates, whatever the file says around it.
 */
final class WebpCopier {
    private static final int ALPH = fourCc('A', 'L', 'P', 'H');
    private static final int ANMF = fourCc('A', 'N', 'M', 'F');
    private static final int VP8X = fourCc('V', 'P', '8', 'X');
    private static final int VP8 = fourCc('V', 'P', '8', ' ');
    private static final int VP8L = fourCc('V', 'P', '8', 'L');

    /** Where the frames of an animation have their place, size and duration. */
    private static final int FRAME_HEAD_BYTES = 16;

    private static final int ALPHA_FLAG = 0x10;
    private static final int HEAD_BYTES = 10;
    private static final int SIZE_MASK = 0x3fff;

    /** Longer than any upload may be. */
    private static final long BYTES_MAX = 1L << 30;

    private final DataInputStream in;
    private final DataOutputStream out;

    private WebpCopier(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    static PictureHead copy(DataInputStream in, DataOutputStream out) throws IOException {
        PictureHead.skip(in, 12);
        return new WebpCopier(in, out).copy();
    }

    private PictureHead copy() throws IOException {
        byte[] alpha = null;
        while (true) {
            int type = in.readInt();
            long length = Integer.reverseBytes(in.readInt()) & 0xffffffffL;
            long padded = length + (length & 1);
            if (length > BYTES_MAX) {
                throw PictureHead.broken();
            }
            if (type == ANMF) {
                PictureHead.skip(in, FRAME_HEAD_BYTES); // The chunks of the frame follow.
            } else if (type == ALPH && alpha == null) {
                alpha = in.readNBytes((int) padded);
                if (alpha.length < padded) {
                    throw PictureHead.broken();
                }
            } else if (type == VP8 || type == VP8L) {
                return picture(type, length, alpha);
            } else {
                PictureHead.skip(in, padded);
            }
        }
    }

    private PictureHead picture(int type, long length, byte[] alpha) throws IOException {
        if (length < HEAD_BYTES) {
            throw PictureHead.broken();
        }
        byte[] head = PictureCopier.readExactly(in, HEAD_BYTES);
        int width;
        int height;
        if (type == VP8) {
            boolean key = (head[0] & 1) == 0 && (head[3] & 0xff) == 0x9d && head[4] == 0x01 && head[5] == 0x2a;
            if (!key) {
                throw PictureHead.broken();
            }
            width = little(head, 6) & SIZE_MASK;
            height = little(head, 8) & SIZE_MASK;
        } else {
            if (head[0] != 0x2f) {
                throw PictureHead.broken();
            }
            int bits = little(head, 1) | little(head, 3) << 16;
            width = (bits & SIZE_MASK) + 1;
            height = (bits >>> 14 & SIZE_MASK) + 1;
        }
        if (width == 0 || height == 0) {
            throw PictureHead.broken();
        }
        boolean transparent = type == VP8 && alpha != null;
        long padded = length + (length & 1);
        long riff = 4 + 8 + padded + (transparent ? 8 + HEAD_BYTES + 8 + alpha.length : 0);
        chunk(fourCc('R', 'I', 'F', 'F'), riff);
        out.writeInt(fourCc('W', 'E', 'B', 'P'));
        if (transparent) {
            chunk(VP8X, HEAD_BYTES);
            out.writeInt(ALPHA_FLAG << 24);
            little24(width - 1);
            little24(height - 1);
            chunk(ALPH, alpha.length);
            out.write(alpha);
        }
        chunk(type, length);
        out.write(head);
        PictureCopier.copy(in, out, length - HEAD_BYTES);
        if (padded > length) {
            out.write(0);
        }
        return new PictureHead(PictureFormat.WEBP, width, height, 1);
    }

    private void chunk(int type, long length) throws IOException {
        out.writeInt(type);
        out.writeInt(Integer.reverseBytes((int) length));
    }

    private void little24(int number) throws IOException {
        out.write(number);
        out.write(number >>> 8);
        out.write(number >>> 16);
    }

    private static int little(byte[] bytes, int at) {
        return (bytes[at] & 0xff) | (bytes[at + 1] & 0xff) << 8;
    }

    private static int fourCc(char a, char b, char c, char d) {
        return a << 24 | b << 16 | c << 8 | d;
    }
}
