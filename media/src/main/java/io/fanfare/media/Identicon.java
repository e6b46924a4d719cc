package io.fanfare.media;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * The picture of an account that has given none: a pattern of five by five squares, the same on both sides of its
 * middle, in one of many colours. The same account has the same picture on every server and for ever, since browsers
 * and caches keep it: another drawing needs another address. Costs some 20 microseconds and asks nobody. Confined to
 * one event loop.
 */
public final class Identicon {
    /** Width and height in pixels. */
    static final int SIZE = 200;

    /** Type of what {@link #png} makes. */
    public static final String TYPE = "image/png";

    private static final int SQUARES = 5;
    private static final int SQUARE = 36;
    private static final int MARGIN = (SIZE - SQUARES * SQUARE) / 2;

    /** Bytes of a line: a byte for the way it is written, and a bit for each pixel. */
    private static final int LINE_BYTES = 1 + SIZE / Byte.SIZE;

    /** Squares of a row that are chosen: those of the left half and the middle. */
    private static final int CHOSEN = (SQUARES + 1) / 2;

    private static final int PATTERN_BITS = SQUARES * CHOSEN;

    private static final int HUES = 36;

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    // One for all pictures, since each takes 256 KiB outside of the heap, which is longer made than a picture.
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);

    /** The picture of an account as a PNG of two colours, some 300 bytes. */
    public byte[] png(long account) {
        long bits = mixed(account);
        int pattern = (int) (bits & ((1 << PATTERN_BITS) - 1));
        byte[] pixels = new byte[SIZE * LINE_BYTES];
        for (int row = 0; row < SQUARES; row++) {
            for (int column = 0; column < SQUARES; column++) {
                int from = Math.min(column, SQUARES - 1 - column);
                if (((pattern >> (row * CHOSEN + from)) & 1) == 1) {
                    fill(pixels, MARGIN + column * SQUARE, MARGIN + row * SQUARE);
                }
            }
        }
        double hue = Long.remainderUnsigned(bits >>> PATTERN_BITS, HUES) / (double) HUES;
        byte[] palette = new byte[6];
        colour(palette, 0, hue, 0.93, 0.07);
        colour(palette, 3, hue, 0.45, 0.32);
        return file(palette, deflated(pixels));
    }

    /** Ids of a day differ in few bits; the answers differ in half of them (the finish of SplitMix64). */
    private static long mixed(long id) {
        long z = id + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private static void fill(byte[] pixels, int left, int top) {
        for (int y = top; y < top + SQUARE; y++) {
            for (int x = left; x < left + SQUARE; x++) {
                pixels[y * LINE_BYTES + 1 + x / Byte.SIZE] |= (byte) (0x80 >> (x % Byte.SIZE));
            }
        }
    }

    /**
     * One colour of the circle.
     *
     * @param hue 0 to 1
     * @param middle how light it is, 0 to 1
     * @param spread how far the strongest and the weakest part are from that
     */
    private static void colour(byte[] palette, int at, double hue, double middle, double spread) {
        for (int i = 0; i < 3; i++) {
            double part = middle + spread * Math.cos(2 * Math.PI * (hue - i / 3.0));
            palette[at + i] = (byte) Math.round(255 * Math.max(0, Math.min(1, part)));
        }
    }

    private byte[] deflated(byte[] pixels) {
        deflater.reset();
        deflater.setInput(pixels);
        deflater.finish();
        // The lines are few and alike: they never become longer.
        byte[] out = new byte[pixels.length];
        return Arrays.copyOf(out, deflater.deflate(out));
    }

    private static byte[] file(byte[] palette, byte[] data) {
        // Width, height, one bit for each pixel, colours of a palette.
        byte[] head = ByteBuffer.allocate(13)
                .putInt(SIZE)
                .putInt(SIZE)
                .put((byte) 1)
                .put((byte) 3)
                .array();
        ByteBuffer file = ByteBuffer.allocate(SIGNATURE.length + 4 * 12 + head.length + palette.length + data.length);
        file.put(SIGNATURE);
        chunk(file, "IHDR", head);
        chunk(file, "PLTE", palette);
        chunk(file, "IDAT", data);
        chunk(file, "IEND", new byte[0]);
        return file.array();
    }

    private static void chunk(ByteBuffer file, String type, byte[] data) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(data);
        file.putInt(data.length).put(name).put(data).putInt((int) sum.getValue());
    }
}
