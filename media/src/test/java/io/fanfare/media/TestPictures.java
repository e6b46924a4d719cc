package io.fanfare.media;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/** Pictures as files, made here. */
public final class TestPictures {
    /** 24 x 16, an ellipse on nothing, with losses: made by cwebp. */
    public static final byte[] WEBP = Base64.getDecoder()
            .decode("UklGRugAAABXRUJQVlA4WAoAAAAQAAAAFwAADwAAQUxQSDAAAAABDzD/ERFCSWxb0UMhsTiiUGyrRiTkzlV0iOj/BMhLmI4b"
                    + "xEN91Mf3feohDkLDKglWUDggkgAAAPAEAJ0BKhgAEAA+kTqXR6+jIiEwCAHwEglsAJ0yhHc3pP4Z1IHUr/mbqDP2dBGRgAD+8LfgVItg"
                    + "Y/I41KuaHD/5Xav5/ecFE+lgG+XgvKJ7+7L3PeMXiR50sb2QeF3MT/un+Da47QJX2Zy/Yuw/R/3n/z6Zk/ueP195KE5fxdVpV3PmFW7G"
                    + "YA9aWv6xh5XKAAAA");

    /** The same without losses. */
    public static final byte[] WEBP_LOSSLESS = Base64.getDecoder()
            .decode(
                    "UklGRqgAAABXRUJQVlA4TJwAAAAvF8ADEJkyRPQ/NlHw6H/AQNo28W/7/z4JDBpJUtTv3wkqIBPMNrYfFbRt5BjrY3lMezGrBARF"
                            + "/o+msG3bpruMgfwBgTCVmUCgmNpMiLQAtIAIYsmUiYCoKj9gTzqANesakKYEPwPzsGfjlrJ3CkPAmc1fyD5dPKzsj/S2Bt20BiC3H0vT"
                            + "TWczOgPQ+hYIrXJh0I26nRH62ridawA=");

    private TestPictures() {}

    /** Red in its upper left quarter, else blue. */
    public static BufferedImage image(int width, int height, int type) {
        BufferedImage image = new BufferedImage(width, height, type);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.BLUE);
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, width / 2, height / 2);
        graphics.dispose();
        return image;
    }

    public static byte[] file(String format, BufferedImage image) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            if (!ImageIO.write(image, format, out)) {
                throw new IllegalStateException("no writer for " + format);
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] jpeg(int width, int height) {
        return file("jpeg", image(width, height, BufferedImage.TYPE_INT_RGB));
    }

    /** In about ten scans. */
    public static byte[] progressiveJpeg(int width, int height) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ImageOutputStream to = ImageIO.createImageOutputStream(out)) {
            ImageWriteParam param = writer.getDefaultWriteParam();
            param.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
            writer.setOutput(to);
            writer.write(null, new IIOImage(image(width, height, BufferedImage.TYPE_INT_RGB), null, null), param);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return out.toByteArray();
    }

    public static byte[] png(int width, int height) {
        return file("png", image(width, height, BufferedImage.TYPE_INT_RGB));
    }

    /** Half of it can be seen through. */
    public static byte[] transparentPng(int width, int height) {
        BufferedImage image = image(width, height, BufferedImage.TYPE_INT_ARGB);
        for (int y = 0; y < height; y++) {
            for (int x = width / 2; x < width; x++) {
                image.setRGB(x, y, 0x40ffffff);
            }
        }
        return file("png", image);
    }

    public static byte[] gif(int width, int height) {
        return file("gif", image(width, height, BufferedImage.TYPE_BYTE_INDEXED));
    }

    /** The JPEG with EXIF that says how the camera was held, and where. */
    public static byte[] withExif(byte[] jpeg, int orientation) {
        byte[] exif = ByteBuffer.allocate(200)
                .put("Exif\0\0MM\0*".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(8)
                .putShort((short) 2)
                .putShort((short) 0x010f) // Maker.
                .putShort((short) 2)
                .putInt(20)
                .putInt(60)
                .putShort((short) 0x0112) // Orientation.
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation)
                .putShort((short) 0)
                .putInt(0)
                .position(80)
                .put("SECRET-PLACE 52.5N 13.4E".getBytes(StandardCharsets.ISO_8859_1))
                .array();
        byte[] segment = ByteBuffer.allocate(4 + exif.length)
                .putShort((short) 0xffe1)
                .putShort((short) (exif.length + 2))
                .put(exif)
                .array();
        return inserted(jpeg, 2, segment);
    }

    /** The PNG with one more chunk behind its head. */
    public static byte[] withChunk(byte[] png, String type, byte[] body) {
        return inserted(png, 33, chunk(type, body));
    }

    /** The WebP with EXIF behind its picture that says how the camera was held. */
    public static byte[] webpWithExif(byte[] webp, int orientation, boolean asInJpeg) {
        byte[] tiff = ByteBuffer.allocate(26)
                .put("MM\0*".getBytes(StandardCharsets.US_ASCII))
                .putInt(8)
                .putShort((short) 1)
                .putShort((short) 0x0112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation)
                .array();
        byte[] body = asInJpeg ? inserted(tiff, 0, "Exif\0\0".getBytes(StandardCharsets.US_ASCII)) : tiff;
        byte[] chunk = ByteBuffer.allocate(8 + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("EXIF".getBytes(StandardCharsets.US_ASCII))
                .putInt(body.length)
                .put(body)
                .array();
        return inserted(webp, webp.length, chunk);
    }

    /** The WebP with so many bytes of an alpha plane before its others. */
    public static byte[] withAlpha(byte[] webp, int bytes) {
        byte[] chunk = ByteBuffer.allocate(8 + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("ALPH".getBytes(StandardCharsets.US_ASCII))
                .putInt(bytes)
                .array();
        return inserted(webp, 12, chunk);
    }

    public static byte[] inserted(byte[] file, int at, byte[] more) {
        return ByteBuffer.allocate(file.length + more.length)
                .put(file, 0, at)
                .put(more)
                .put(file, at, file.length - at)
                .array();
    }

    public static byte[] chunk(String type, byte[] body) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(body);
        return ByteBuffer.allocate(12 + body.length)
                .putInt(body.length)
                .put(name)
                .put(body)
                .putInt((int) sum.getValue())
                .array();
    }

    /** Grey, one bit a pixel, all of it zeros: a few hundred bytes for each megapixel. */
    public static byte[] hugePng(int width, int height) {
        return rawPng(width, height, 1, 0, 0, zippedZeros(height * (1 + (width + 7L) / 8)));
    }

    /** A PNG of these chunks, whatever they say. */
    public static byte[] rawPng(int width, int height, int depth, int colourType, int interlace, byte[] data) {
        byte[] head = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put((byte) depth)
                .put((byte) colourType)
                .putShort((short) 0)
                .put((byte) interlace)
                .array();
        byte[] palette = colourType == 3 ? chunk("PLTE", new byte[3 << depth]) : new byte[0];
        return join(
                new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
                chunk("IHDR", head),
                palette,
                chunk("IDAT", data),
                chunk("IEND", new byte[0]));
    }

    /** So many zeros, packed as in a PNG. */
    public static byte[] zippedZeros(long bytes) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        byte[] zeros = new byte[64 << 10];
        byte[] out = new byte[64 << 10];
        for (long left = bytes; left > 0 || !deflater.finished(); ) {
            if (left > 0 && deflater.needsInput()) {
                int count = (int) Math.min(left, zeros.length);
                deflater.setInput(zeros, 0, count);
                left -= count;
                if (left == 0) {
                    deflater.finish();
                }
            }
            data.write(out, 0, deflater.deflate(out));
        }
        deflater.end();
        return data.toByteArray();
    }

    public static byte[] zipped(byte[] text) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(text);
        deflater.finish();
        byte[] out = new byte[text.length / 500 + 1000];
        int length = deflater.deflate(out);
        deflater.end();
        return Arrays.copyOf(out, length);
    }

    private static byte[] join(byte[]... parts) {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(all);
            for (byte[] part : parts) {
                out.write(part);
            }
            return all.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file with one to four bytes that are others, or cut off behind one. */
    public static byte[] mutated(byte[] file, Random random) {
        byte[] copy = file.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(copy.length);
            switch (random.nextInt(4)) {
                case 0 -> copy[at] = (byte) random.nextInt();
                case 1 -> copy[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> copy = Arrays.copyOf(copy, Math.max(1, at));
                default -> copy[at] = (byte) 0xff;
            }
        }
        return copy;
    }
}
