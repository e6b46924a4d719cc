package io.fanfare.media;

import io.fanfare.common.model.ClipFormat;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The first frames of an MP3 or AAC file, and what stands before them. Two frames must follow each other: one may be
 * anything that begins with a few ones.
 */
final class MpegAudioHead {
    private static final int TAG_HEAD = 10;
    private static final int TAGS_MAX = 4;

    /** Bytes behind a tag in which the first frame must begin. */
    private static final int PADDING_MAX = 4096;

    /** The bytes in which the encoder writes the number of frames. */
    private static final int FIRST_FRAME_BYTES = 256;

    private static final int FRAME_HEAD = 4;
    private static final int AAC_HEAD = 6;

    private static final int[] RATES = {44_100, 48_000, 32_000};
    private static final int[] BITS_1 = {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320};
    private static final int[] BITS_2 = {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160};

    private MpegAudioHead() {}

    static ClipHead read(ClipFile file) throws IOException {
        long at = behindTags(file);
        ByteBuffer begin = file.upTo(at, PADDING_MAX);
        if (ClipFile.is(begin, 0, "fLaC")) {
            return FlacHead.read(file, at);
        }
        int last = at == 0 ? 0 : begin.limit() - FRAME_HEAD;
        for (int skipped = 0; skipped <= last; skipped++) {
            if (begin.get(skipped) != (byte) 0xff) {
                continue;
            }
            long start = at + skipped;
            Frame frame = frame(file, start);
            if (frame != null && frame.fits(frame(file, start + frame.bytes))) {
                return ClipHead.sound(ClipFormat.MP3, seconds(file, start, frame));
            }
            int aac = aacBytes(file, start);
            if (aac > 0 && aacBytes(file, start + aac) > 0) {
                return ClipHead.sound(ClipFormat.AAC, 0); // No more than a walk through all of it would give.
            }
        }
        throw ClipHead.broken();
    }

    private static long behindTags(ClipFile file) throws IOException {
        long at = 0;
        for (int i = 0; i < TAGS_MAX; i++) {
            ByteBuffer head = file.upTo(at, TAG_HEAD);
            if (head.limit() < TAG_HEAD || !ClipFile.is(head, 0, "ID3")) {
                break;
            }
            int length = 0;
            for (int digit = 6; digit < TAG_HEAD; digit++) {
                length = (length << 7) | (head.get(digit) & 0x7f);
            }
            boolean footer = (head.get(5) & 0x10) != 0;
            at += TAG_HEAD + length + (footer ? TAG_HEAD : 0);
        }
        return at;
    }

    /** A frame of an MP3. */
    private record Frame(int bytes, int rate, int samples, int bits, boolean mono) {
        boolean fits(Frame next) {
            return next != null && next.rate == rate && next.samples == samples;
        }

        /** Bytes between the head and what the encoder says. */
        int sideBytes() {
            if (samples == 1152) {
                return mono ? 17 : 32;
            }
            return mono ? 9 : 17;
        }
    }

    /** Null = there is none. */
    private static Frame frame(ClipFile file, long at) throws IOException {
        if (at + FRAME_HEAD > file.bytes()) {
            return null;
        }
        int head = file.at(at, FRAME_HEAD).getInt(0);
        int version = (head >>> 19) & 3;
        int layer = (head >>> 17) & 3;
        int bits = (head >>> 12) & 15;
        int rate = (head >>> 10) & 3;
        boolean isFrame = head >>> 21 == 0x7ff && version != 1 && layer == 1 && bits > 0 && bits < 15 && rate < 3;
        if (!isFrame) {
            return null;
        }
        boolean first = version == 3;
        int samples = first ? 1152 : 576;
        int bitsPerSecond = 1000 * (first ? BITS_1[bits] : BITS_2[bits]);
        int perSecond = RATES[rate] >> (first ? 0 : version == 2 ? 1 : 2);
        int bytes = samples / 8 * bitsPerSecond / perSecond + ((head >>> 9) & 1);
        return new Frame(bytes, perSecond, samples, bitsPerSecond, ((head >>> 6) & 3) == 3);
    }

    private static double seconds(ClipFile file, long start, Frame frame) throws IOException {
        ByteBuffer first = file.upTo(start, FIRST_FRAME_BYTES);
        int at = FRAME_HEAD + frame.sideBytes();
        boolean counted = ClipFile.is(first, at, "Xing") || ClipFile.is(first, at, "Info");
        if (counted && at + 12 <= first.limit() && (first.getInt(at + 4) & 1) != 0) {
            return (first.getInt(at + 8) & 0xffffffffL) * (double) frame.samples / frame.rate;
        }
        int vbri = FRAME_HEAD + 32;
        if (ClipFile.is(first, vbri, "VBRI") && vbri + 18 <= first.limit()) {
            return (first.getInt(vbri + 14) & 0xffffffffL) * (double) frame.samples / frame.rate;
        }
        return (file.bytes() - start) * 8.0 / frame.bits;
    }

    /** The length of a frame of AAC; 0 = there is none. */
    private static int aacBytes(ClipFile file, long at) throws IOException {
        if (at + AAC_HEAD > file.bytes()) {
            return 0;
        }
        ByteBuffer head = file.at(at, AAC_HEAD);
        boolean isFrame = (head.getShort(0) & 0xfff6) == 0xfff0 && ((head.get(2) >> 2) & 15) < 13;
        int bytes = ((head.get(3) & 3) << 11) | ((head.get(4) & 0xff) << 3) | ((head.get(5) & 0xff) >> 5);
        return isFrame && bytes > AAC_HEAD ? bytes : 0;
    }
}
