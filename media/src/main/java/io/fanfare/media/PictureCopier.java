package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads an uploaded file once, and writes what a decoder is to see of it. Costs time in proportion to the file and no
 * memory.
 */
final class PictureCopier {
    private static final int BUFFER_BYTES = 64 << 10;

    /** A code of LZW has 12 bits and stands for the 3839 pixels of the longest string in a full table. */
    private static final int GIF_PIXELS_OF_BYTE = 2560;

    private PictureCopier() {}

    /** Writes the copy; refuses ({@code INVALID}) what is no picture, or is broken. */
    static PictureHead copy(Path from, Path to) throws IOException {
        byte[] start;
        try (DataInputStream in = open(from)) {
            start = PictureHead.peek(in);
        }
        PictureFormat format = PictureFormat.of(start).orElseThrow(() -> PictureHead.unknownFormat(start));
        try (DataInputStream in = open(from);
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to), BUFFER_BYTES))) {
            return switch (format) {
                case JPEG -> JpegCopier.copy(in, out);
                case PNG -> PngCopier.copy(in, out);
                case GIF -> gif(in, out);
                case WEBP -> WebpCopier.copy(from, in, out);
            };
        } catch (EOFException e) {
            throw PictureHead.broken();
        }
    }

    static DataInputStream open(Path file) throws IOException {
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
    }

    /**
     * The file with its first frame alone: signature, screen, colours, the extension for transparency, and the frame.
     */
    private static PictureHead gif(DataInputStream in, DataOutputStream out) throws IOException {
        byte[] screen = new byte[13];
        in.readFully(screen);
        out.write(screen);
        copyColours(in, out, screen[10]);
        while (true) {
            int block = in.readUnsignedByte();
            if (block == 0x2c) {
                byte[] descriptor = new byte[9];
                in.readFully(descriptor);
                out.write(block);
                out.write(descriptor);
                copyColours(in, out, descriptor[8]);
                out.write(in.readUnsignedByte());
                long data = copyBlocks(in, out);
                out.write(0x3b);
                PictureHead head = new PictureHead(PictureFormat.GIF, little(descriptor, 4), little(descriptor, 6), 1);
                PictureHead.checkHolds(data, GIF_PIXELS_OF_BYTE, head.pixels());
                return head;
            }
            if (block != 0x21) {
                throw PictureHead.broken();
            }
            int label = in.readUnsignedByte();
            if (label == 0xf9) {
                out.write(block);
                out.write(label);
                long unused = copyBlocks(in, out);
            } else {
                skipBlocks(in);
            }
        }
    }

    private static void copyColours(DataInputStream in, DataOutputStream out, int flags) throws IOException {
        if ((flags & 0x80) != 0) {
            out.write(readExactly(in, 3 * (2 << (flags & 7))));
        }
    }

    /** Answers how many bytes of data the blocks have. */
    private static long copyBlocks(DataInputStream in, DataOutputStream out) throws IOException {
        long data = 0;
        int length;
        do {
            length = in.readUnsignedByte();
            out.write(length);
            out.write(readExactly(in, length));
            data += length;
        } while (length > 0);
        return data;
    }

    private static void skipBlocks(DataInputStream in) throws IOException {
        int length;
        do {
            length = in.readUnsignedByte();
            PictureHead.skip(in, length);
        } while (length > 0);
    }

    private static int little(byte[] bytes, int at) {
        return (bytes[at] & 0xff) | (bytes[at + 1] & 0xff) << 8;
    }

    /** To be called with short lengths only. */
    static byte[] readExactly(DataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /** Copies exactly so many bytes, in pieces. */
    static void copy(DataInputStream in, DataOutputStream out, long length) throws IOException {
        byte[] piece = new byte[(int) Math.min(length, 8 << 10)];
        for (long left = length; left > 0; ) {
            int read = in.read(piece, 0, (int) Math.min(left, piece.length));
            if (read < 0) {
                throw broken();
            }
            out.write(piece, 0, read);
            left -= read;
        }
    }

    private static Refusal broken() {
        return PictureHead.broken();
    }
}
