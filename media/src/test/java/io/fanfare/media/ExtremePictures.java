package io.fanfare.media;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * Files that cost a decoder as much as their formats allow, drawn from a seed: extremes of width, height, depth,
 * channels, interlacing, scans and frames, with data that is whole or missing, and mutations of these.
 */
final class ExtremePictures {
    /** Pixels of 7680 x 4320, as much as is decoded by default. */
    static final int PIXELS_MAX = 33_177_600;

    private static final List<int[]> SIZES = List.of(
            new int[] {PIXELS_MAX, 1},
            new int[] {1, PIXELS_MAX},
            new int[] {65_535, 506},
            new int[] {506, 65_535},
            new int[] {PictureCheck.SIDE_MAX, 1012},
            new int[] {1012, PictureCheck.SIDE_MAX},
            new int[] {PictureCheck.SIDE_MAX, 1},
            new int[] {1, PictureCheck.SIDE_MAX},
            new int[] {7680, 4320},
            new int[] {5760, 5760},
            new int[] {4160, 4160},
            new int[] {1, 1});

    /** Depth and colour type of a PNG. */
    private static final List<int[]> SAMPLES = List.of(
            new int[] {1, 0},
            new int[] {16, 0},
            new int[] {8, 2},
            new int[] {16, 2},
            new int[] {1, 3},
            new int[] {8, 3},
            new int[] {16, 4},
            new int[] {8, 6},
            new int[] {16, 6});

    private static final int JPEG_SIDE_MAX = 65_500;

    private final Random random;

    ExtremePictures(Random random) {
        this.random = random;
    }

    /** A file, the pixels that a decoder makes of it, and the passes over all of them. */
    static final class Extreme {
        private final String name;
        private final byte[] file;
        private final long pixels;
        private final int passes;

        private Extreme(String name, byte[] file, long pixels, int passes) {
            this.name = name;
            this.file = file;
            this.pixels = pixels;
            this.passes = passes;
        }

        String name() {
            return name;
        }

        byte[] file() {
            return file;
        }

        long pixels() {
            return pixels;
        }

        int passes() {
            return passes;
        }
    }

    Extreme next() {
        Extreme drawn =
                switch (random.nextInt(5)) {
                    case 0, 1 -> png();
                    case 2 -> gif();
                    case 3 -> jpeg();
                    default -> webp();
                };
        return random.nextInt(4) == 0
                ? new Extreme("mutated " + drawn.name(), TestPictures.mutated(drawn.file(), random), 0, 0)
                : drawn;
    }

    private Extreme png() {
        int[] size = SIZES.get(random.nextInt(SIZES.size()));
        int[] samples = SAMPLES.get(random.nextInt(SAMPLES.size()));
        int interlace = random.nextInt(2);
        boolean whole = random.nextBoolean();
        int bits = samples[0] * List.of(1, 0, 3, 1, 2, 0, 4).get(samples[1]);
        long bytes = size[1] * (1 + ((long) size[0] * bits + 7) / 8);
        // Interlaced rows are shorter, so that there are more of their filter bytes.
        byte[] data = TestPictures.zippedZeros(whole ? bytes + interlace * 2L * size[1] : 10);
        return new Extreme(
                "PNG %d x %d, %d bits, type %d, interlace %d, %s"
                        .formatted(size[0], size[1], samples[0], samples[1], interlace, whole ? "whole" : "empty"),
                TestPictures.rawPng(size[0], size[1], samples[0], samples[1], interlace, data),
                (long) size[0] * size[1],
                1);
    }

    /** The size stands in the screen and in the frame. */
    private Extreme gif() {
        int[] size = SIZES.get(2 + random.nextInt(SIZES.size() - 2));
        boolean whole = random.nextBoolean();
        byte[] file;
        if (whole) {
            file = TestPictures.file("gif", new BufferedImage(size[0], size[1], BufferedImage.TYPE_BYTE_INDEXED));
        } else {
            file = TestPictures.gif(2, 2);
            int descriptor = indexOf(file, new byte[] {0x2c, 0, 0, 0, 0, 2, 0, 2, 0});
            ByteBuffer.wrap(file)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putShort(descriptor + 5, (short) size[0])
                    .putShort(descriptor + 7, (short) size[1]);
        }
        int frames = 1 + random.nextInt(3);
        byte[] all = file;
        for (int i = 1; i < frames; i++) {
            int from = indexOf(file, new byte[] {0x2c, 0, 0, 0, 0});
            all = TestPictures.inserted(all, all.length - 1, Arrays.copyOfRange(file, from, file.length - 1));
        }
        return new Extreme(
                "GIF %d x %d, %d frames, %s".formatted(size[0], size[1], frames, whole ? "whole" : "empty"),
                all,
                (long) size[0] * size[1],
                1);
    }

    private Extreme jpeg() {
        int[] drawn = SIZES.get(2 + random.nextInt(SIZES.size() - 2));
        int[] size = {Math.min(drawn[0], JPEG_SIDE_MAX), Math.min(drawn[1], JPEG_SIDE_MAX)};
        boolean grey = random.nextBoolean();
        boolean whole = random.nextBoolean();
        int scans = List.of(1, 10, 12, 40).get(random.nextInt(4));
        byte[] file = encoded(whole ? size[0] : 16, whole ? size[1] : 16, grey, scans > 1);
        if (!whole) {
            int frame = indexOf(file, new byte[] {(byte) 0xff, (byte) (scans > 1 ? 0xc2 : 0xc0)});
            ByteBuffer.wrap(file).putShort(frame + 5, (short) size[1]).putShort(frame + 7, (short) size[0]);
        }
        int passes = count(file);
        int last = lastIndexOf(file, (byte) 0xda) - 1;
        byte[] scan = Arrays.copyOfRange(file, last, file.length - 2);
        for (; passes < scans; passes++) {
            file = TestPictures.inserted(file, file.length - 2, scan);
        }
        int orientation = 1 + random.nextInt(8);
        return new Extreme(
                "JPEG %d x %d, %s, %d scans, turned %d, %s"
                        .formatted(
                                size[0],
                                size[1],
                                grey ? "grey" : "colours",
                                passes,
                                orientation,
                                whole ? "whole" : "empty"),
                TestPictures.withExif(file, orientation),
                (long) size[0] * size[1],
                passes);
    }

    private static byte[] encoded(int width, int height, boolean grey, boolean progressive) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ImageOutputStream to = ImageIO.createImageOutputStream(out)) {
            ImageWriteParam param = writer.getDefaultWriteParam();
            param.setProgressiveMode(progressive ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
            writer.setOutput(to);
            int type = grey ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_3BYTE_BGR;
            writer.write(null, new IIOImage(new BufferedImage(width, height, type), null, null), param);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return out.toByteArray();
    }

    /** Scans of a file whose data has no FF DA. */
    private static int count(byte[] jpeg) {
        int scans = 0;
        for (int i = 0; i + 1 < jpeg.length; i++) {
            if (jpeg[i] == (byte) 0xff && jpeg[i + 1] == (byte) 0xda) {
                scans++;
            }
        }
        return scans;
    }

    /** The size stands in the data; what is behind it is noise for most sizes. */
    private Extreme webp() {
        int side = List.of(1, 2048, 4096, 16_383).get(random.nextInt(4));
        boolean lossless = random.nextBoolean();
        int alpha = List.of(0, 1 << 20, 4 << 20, 16 << 20).get(random.nextInt(4));
        byte[] file = (lossless ? TestPictures.WEBP_LOSSLESS : TestPictures.WEBP).clone();
        if (lossless) {
            int at = indexOf(file, new byte[] {'V', 'P', '8', 'L'}) + 9;
            int bits = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(at) & 0xf0000000;
            ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, bits | (side - 1) << 14 | (side - 1));
        } else {
            int at = indexOf(file, new byte[] {'V', 'P', '8', ' '}) + 14;
            ByteBuffer.wrap(file)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putShort(at, (short) side)
                    .putShort(at + 2, (short) side);
        }
        if (alpha > 0) {
            file = TestPictures.withAlpha(file, alpha);
        }
        return new Extreme(
                "WebP %d x %d, %s, %d bytes of alpha".formatted(side, side, lossless ? "lossless" : "lossy", alpha),
                file,
                (long) side * side,
                1);
    }

    private static int indexOf(byte[] file, byte[] wanted) {
        for (int i = 0; i + wanted.length <= file.length; i++) {
            if (Arrays.equals(file, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new IllegalArgumentException("not in the file");
    }

    private static int lastIndexOf(byte[] file, byte wanted) {
        for (int i = file.length - 1; i > 0; i--) {
            if (file[i] == wanted && file[i - 1] == (byte) 0xff) {
                return i;
            }
        }
        throw new IllegalArgumentException("not in the file");
    }
}
