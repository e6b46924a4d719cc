package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/**
 * The properties of a picture before it is decoded, and the bytes that a decoder is given of it: a copy without
 * metadata. Reads no more than the frames around the picture's data, whose lengths are checked before anything is taken
 * in. So a decoder never sees the chunks of text and profiles that unpack to gigabytes, and a file that is a web page
 * as well is none in its copy.
 *
 * @param width of the largest picture that the file makes a decoder allocate
 * @param orientation 1 to 8 as in EXIF; 1 = upright
 * @param scans of a JPEG, each of which goes through the whole picture; 1 for others
 */
record PictureHead(PictureFormat format, int width, int height, int orientation, int scans) {
    /** A progressive JPEG of ten scans takes twice as long as one of a single scan. */
    private static final int SCANS_OF_TWICE = 8;

    /** How many times as long as a JPEG others take, to be read and to be written: PNG, GIF, WebP. */
    private static final int OTHERS = 4;

    PictureHead(PictureFormat format, int width, int height, int orientation) {
        this(format, width, height, orientation, /* scans= */ 1);
    }

    /**
     * Refuses a file whose data cannot hold its picture: a decoder would make all of its pixels of nothing, at a cost
     * out of proportion to the file.
     *
     * @param unpackedMax what a byte of data holds at most
     */
    static void checkHolds(long dataBytes, int unpackedMax, long unpacked) {
        if ((dataBytes + 1) * unpackedMax < unpacked) {
            throw broken();
        }
    }

    /** The refusal of a broken file, whichever way it is broken. */
    static Refusal broken() {
        return new Refusal(
                Refusal.Reason.INVALID, "The picture is broken: open it in a program for pictures and save it again.");
    }

    static Refusal unknownFormat(byte[] head) {
        return new Refusal(
                Refusal.Reason.INVALID,
                PictureFormat.isMovie(head)
                        ? "A picture is needed here, no video and no sound: send a JPEG, PNG, GIF or WebP file."
                        : "This is no picture that this server reads: send a JPEG, PNG, GIF or WebP file.");
    }

    /** The same, with the orientation of the file that it was copied from. */
    PictureHead turned(int asOrientation) {
        return new PictureHead(format, width, height, asOrientation, scans);
    }

    long pixels() {
        return (long) width * height;
    }

    /** As many pixels as a plain JPEG has that takes as long. */
    long cost() {
        return pixels() * (format == PictureFormat.JPEG ? 1 + scans / SCANS_OF_TWICE : OTHERS);
    }

    /** Fills the buffer as far as the stream reaches. */
    static byte[] peek(DataInputStream in) throws IOException {
        byte[] head = new byte[PictureFormat.HEAD_BYTES];
        int length = in.readNBytes(head, 0, head.length);
        return Arrays.copyOf(head, length);
    }

    /** Skips exactly so many bytes. */
    static void skip(DataInputStream in, long bytes) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (EOFException e) {
            throw broken();
        }
    }
}
