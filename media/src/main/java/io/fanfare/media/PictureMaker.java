package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import io.trbl.blurhash.BlurHash;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.coobird.thumbnailator.Thumbnails;

/**
 * Makes of a checked file the files that are served: decoded within bounds, turned upright, scaled, encoded again. So
 * no byte of the upload reaches a reader. Runs in a child process, whose heap it may fill. Blocks.
 */
final class PictureMaker {
    /** A PNG without transparency that is larger becomes a JPEG. */
    private static final long OPAQUE_PNG_BYTES_MAX = 4 << 20;

    private static final int HASH_PIXELS = 32;
    private static final int HASH_COMPONENTS_X = 4;
    private static final int HASH_COMPONENTS_Y = 3;

    private PictureMaker() {}

    /**
     * Makes the picture. Fails with {@code Refusal(INVALID)} for a file that is broken in any way.
     *
     * @param cleaned path of the copy without metadata
     * @param original path of the picture, {@code small} of its small size
     * @throws IOException if they cannot be written
     */
    static Rendition make(PictureUse use, PictureHead head, Path cleaned, Path original, Path small)
            throws IOException {
        BufferedImage decoded = decode(head, cleaned);
        try {
            return write(use, head, decoded, original, small);
        } catch (RuntimeException strange) {
            throw PictureHead.broken();
        }
    }

    /** Decoders throw whatever they stumble over. */
    private static BufferedImage decode(PictureHead head, Path cleaned) {
        try {
            return PictureDecoder.decode(head, cleaned);
        } catch (Refusal refusal) {
            throw refusal;
        } catch (IOException | RuntimeException broken) {
            throw PictureHead.broken();
        }
    }

    private static Rendition write(PictureUse use, PictureHead head, BufferedImage decoded, Path original, Path small)
            throws IOException {
        boolean lying = head.orientation() > 4;
        Dimension size = lying
                ? turned(use.size(decoded.getHeight(), decoded.getWidth()))
                : use.size(decoded.getWidth(), decoded.getHeight());
        BufferedImage image = upright(scaled(use, decoded, size), head.orientation());
        boolean transparent = isTransparent(image);
        BufferedImage written = transparent && !use.isJpeg() ? image : opaque(image);
        boolean png = !use.isJpeg()
                && (transparent
                        || use.isPng()
                        || head.format() == PictureFormat.PNG
                        || head.format() == PictureFormat.GIF);
        if (png) {
            PictureEncoder.png(written, original);
            png = transparent || use.isPng() || Files.size(original) <= OPAQUE_PNG_BYTES_MAX;
        }
        if (!png) {
            PictureEncoder.jpeg(written, original);
        }
        Dimension smallSize = PictureUse.small(written.getWidth(), written.getHeight());
        BufferedImage thumbnail = scaled(PictureUse.ATTACHMENT, written, smallSize);
        if (use.hasSmall()) {
            if (png) {
                PictureEncoder.png(transparent ? thumbnail : opaque(thumbnail), small);
            } else {
                PictureEncoder.jpeg(opaque(thumbnail), small);
            }
        }
        return new Rendition(
                png ? "png" : "jpg",
                written.getWidth(),
                written.getHeight(),
                use.hasSmall() ? smallSize.width : 0,
                use.hasSmall() ? smallSize.height : 0,
                blurhash(thumbnail));
    }

    private static Dimension turned(Dimension size) {
        return new Dimension(/* width= */ size.height, /* height= */ size.width);
    }

    /** In the colours of the web, with transparency; cut in its middle to the shape of the size, if it is cut. */
    private static BufferedImage scaled(PictureUse use, BufferedImage from, Dimension to) throws IOException {
        BufferedImage shaped = use.isCut() ? cut(from, to) : from;
        if (shaped.getWidth() == to.width && shaped.getHeight() == to.height) {
            return drawn(shaped, BufferedImage.TYPE_INT_ARGB);
        }
        return Thumbnails.of(shaped)
                .forceSize(to.width, to.height)
                .imageType(BufferedImage.TYPE_INT_ARGB)
                .asBufferedImage();
    }

    private static BufferedImage cut(BufferedImage from, Dimension shape) {
        double factor = Math.min((double) from.getWidth() / shape.width, (double) from.getHeight() / shape.height);
        int width = Math.max(1, (int) Math.min(from.getWidth(), Math.round(shape.width * factor)));
        int height = Math.max(1, (int) Math.min(from.getHeight(), Math.round(shape.height * factor)));
        return from.getSubimage((from.getWidth() - width) / 2, (from.getHeight() - height) / 2, width, height);
    }

    private static BufferedImage drawn(BufferedImage from, int type) {
        BufferedImage to = new BufferedImage(from.getWidth(), from.getHeight(), type);
        Graphics2D graphics = to.createGraphics();
        graphics.drawImage(from, 0, 0, null);
        graphics.dispose();
        return to;
    }

    /** Without transparency. */
    private static BufferedImage opaque(BufferedImage from) {
        return from.getType() == BufferedImage.TYPE_INT_RGB ? from : drawn(from, BufferedImage.TYPE_INT_RGB);
    }

    private static boolean isTransparent(BufferedImage image) {
        int[] row = new int[image.getWidth()];
        for (int y = 0; y < image.getHeight(); y++) {
            image.getRGB(0, y, row.length, 1, row, 0, row.length);
            for (int pixel : row) {
                if (pixel >>> 24 != 0xff) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The eight ways to hold a camera, as EXIF numbers them. */
    private static BufferedImage upright(BufferedImage image, int orientation) {
        if (orientation == 1) {
            return image;
        }
        int width = image.getWidth();
        int height = image.getHeight();
        AffineTransform turn =
                switch (orientation) {
                    case 2 -> new AffineTransform(-1, 0, 0, 1, width, 0);
                    case 3 -> new AffineTransform(-1, 0, 0, -1, width, height);
                    case 4 -> new AffineTransform(1, 0, 0, -1, 0, height);
                    case 5 -> new AffineTransform(0, 1, 1, 0, 0, 0);
                    case 6 -> new AffineTransform(0, 1, -1, 0, height, 0);
                    case 7 -> new AffineTransform(0, -1, -1, 0, height, width);
                    default -> new AffineTransform(0, -1, 1, 0, 0, width);
                };
        boolean lying = orientation > 4;
        BufferedImage turned =
                new BufferedImage(lying ? height : width, lying ? width : height, BufferedImage.TYPE_INT_ARGB);
        Graphics2D graphics = turned.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR);
        graphics.drawImage(image, turn, null);
        graphics.dispose();
        return turned;
    }

    private static String blurhash(BufferedImage thumbnail) throws IOException {
        BufferedImage tiny = Thumbnails.of(thumbnail)
                .forceSize(HASH_PIXELS, HASH_PIXELS)
                .imageType(BufferedImage.TYPE_INT_RGB)
                .asBufferedImage();
        return BlurHash.encode(tiny, HASH_COMPONENTS_X, HASH_COMPONENTS_Y);
    }
}
