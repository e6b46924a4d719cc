package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Copies the picture of a WebP: the chunk with its data, with that of its transparency. Of an animation the first frame
 * is taken. The size is that of the data, which is what a decoder allocates, whatever the file says around it.
 */
final class WebpCopier {
    private static final int ALPH = fourCc('A', 'L', 'P', 'H');
    private static final int ANMF = fourCc('A', 'N', 'M', 'F');
    private static final int EXIF = fourCc('E', 'X', 'I', 'F');
    private static final int VP8X = fourCc('V', 'P', '8', 'X');
    private static final int VP8 = fourCc('V', 'P', '8', ' ');
    private static final int VP8L = fourCc('V', 'P', '8', 'L');

    /** Bytes of a frame of an animation before its picture: place, size and duration. */
    private static final int FRAME_HEAD_BYTES = 16;

    private static final int EXIF_BYTES_MAX = 64 << 10;
    private static final int FILE_HEAD_BYTES = 12;
    private static final int CHUNK_HEAD_BYTES = 8;
    private static final int ALPHA_FLAG = 0x10;
    private static final int HEAD_BYTES = 10;
    private static final int SIZE_MASK = 0x3fff;

    /** Longer than any upload may be. */
    private static final long BYTES_MAX = 1L << 30;

    /** An alpha plane has a byte a pixel, unpacked; packed it takes hardly more. */
    private static final int ALPHA_BYTES_MORE = 64 << 10;

    private final Path file;
    private final DataInputStream in;
    private final DataOutputStream out;
    private long at;
    private long alphaAt = -1;
    private long alphaBytes;

    private WebpCopier(Path file, DataInputStream in, DataOutputStream out) {
        this.file = file;
        this.in = in;
        this.out = out;
    }

    /** @param in the same file, from its beginning */
    static PictureHead copy(Path file, DataInputStream in, DataOutputStream out) throws IOException {
        WebpCopier copier = new WebpCopier(file, in, out);
        copier.skip(FILE_HEAD_BYTES);
        return copier.copy();
    }

    private PictureHead copy() throws IOException {
        while (true) {
            int type = in.readInt();
            long length = Integer.reverseBytes(in.readInt()) & 0xffffffffL;
            at += CHUNK_HEAD_BYTES;
            long padded = length + (length & 1);
            if (length > BYTES_MAX) {
                throw PictureHead.broken();
            }
            if (type == ANMF) {
                skip(FRAME_HEAD_BYTES); // The chunks of the frame follow.
            } else if (type == VP8 || type == VP8L) {
                PictureHead picture = picture(type, length);
                return picture.turned(orientation(padded));
            } else {
                if (type == ALPH && alphaAt < 0) {
                    alphaAt = at;
                    alphaBytes = padded;
                }
                skip(padded);
            }
        }
    }

    /** As the EXIF behind the picture says, if there is some: the decoder is given the picture alone. */
    private int orientation(long pictureBytes) throws IOException {
        try (DataInputStream rest = PictureCopier.open(file)) {
            PictureHead.skip(rest, at + pictureBytes);
            while (rest.available() > 0) {
                int type = rest.readInt();
                long length = Integer.reverseBytes(rest.readInt()) & 0xffffffffL;
                if (type == EXIF) {
                    return ExifOrientation.ofChunk(
                            PictureCopier.readExactly(rest, (int) Math.min(length, EXIF_BYTES_MAX)));
                }
                PictureHead.skip(rest, length + (length & 1));
            }
        } catch (EOFException | Refusal cutOff) {
            // A picture whose metadata are broken is upright.
        }
        return 1;
    }

    private void skip(long bytes) throws IOException {
        PictureHead.skip(in, bytes);
        at += bytes;
    }

    private PictureHead picture(int type, long length) throws IOException {
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
        boolean transparent = type == VP8 && alphaAt >= 0;
        if (transparent && alphaBytes > (long) width * height + ALPHA_BYTES_MORE) {
            throw PictureHead.broken();
        }
        long padded = length + (length & 1);
        long riff = 4 + 8 + padded + (transparent ? 8 + HEAD_BYTES + 8 + alphaBytes : 0);
        chunk(fourCc('R', 'I', 'F', 'F'), riff);
        out.writeInt(fourCc('W', 'E', 'B', 'P'));
        if (transparent) {
            chunk(VP8X, HEAD_BYTES);
            out.writeInt(ALPHA_FLAG << 24);
            little24(width - 1);
            little24(height - 1);
            chunk(ALPH, alphaBytes);
            copyAlpha();
        }
        chunk(type, length);
        out.write(head);
        PictureCopier.copy(in, out, length - HEAD_BYTES);
        if (padded > length) {
            out.write(0);
        }
        return new PictureHead(PictureFormat.WEBP, width, height, 1);
    }

    /** The alpha plane stands before the size of the picture, which decides whether it is kept: it is read again. */
    private void copyAlpha() throws IOException {
        try (DataInputStream again = PictureCopier.open(file)) {
            PictureHead.skip(again, alphaAt);
            PictureCopier.copy(again, out, alphaBytes);
        }
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
