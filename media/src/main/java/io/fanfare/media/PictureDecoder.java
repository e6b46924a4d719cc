package io.fanfare.media;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.SampleModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.stream.ImageInputStream;

/**
 * Decodes a checked file into {@link #DECODED_BYTES_MAX} at most: of a larger picture, every second or third pixel of
 * every second or third row is kept, as the rows are read.
 */
final class PictureDecoder {
    /** A photograph of 12 megapixels in four bytes each. */
    static final long DECODED_BYTES_MAX = 50 << 20;

    /** The decoder for WebP takes a multiple of the time and memory of the others. */
    private static final long WEBP_PIXELS_MAX = 4 << 20;

    /** Red, green and blue, which are scaled without a copy in other colours. */
    private static final int PLAIN_BYTES = 3;

    private static final int SCALED_BYTES = 4;

    private PictureDecoder() {}

    /** The most pixels that decoders of this format can take within their memory. */
    static long pixelsMax(PictureFormat format) {
        return format == PictureFormat.WEBP ? WEBP_PIXELS_MAX : Long.MAX_VALUE;
    }

    static BufferedImage decode(PictureHead head, Path file) throws IOException {
        ImageReader reader = reader(head.format());
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in, /* seekForwardOnly= */ true, /* ignoreMetadata= */ true);
            if (reader.getWidth(0) != head.width() || reader.getHeight(0) != head.height()) {
                throw PictureHead.broken();
            }
            ImageReadParam param = reader.getDefaultReadParam();
            int step = step(head, bytes(reader));
            param.setSourceSubsampling(step, step, 0, 0);
            return reader.read(0, param);
        } finally {
            reader.dispose();
        }
    }

    private static ImageReader reader(PictureFormat format) throws IOException {
        Iterator<ImageReader> readers =
                ImageIO.getImageReadersByFormatName(format.name().toLowerCase(Locale.ROOT));
        if (!readers.hasNext()) {
            throw new IOException("no reader for " + format);
        }
        return readers.next();
    }

    /** Bytes of a pixel, at least those of the colours into which a picture with a palette or of one bit is scaled. */
    private static int bytes(ImageReader reader) throws IOException {
        Iterator<ImageTypeSpecifier> types = reader.getImageTypes(0);
        if (!types.hasNext()) {
            throw PictureHead.broken();
        }
        SampleModel samples = types.next().getSampleModel();
        int bytes = samples.getNumDataElements() * DataBuffer.getDataTypeSize(samples.getDataType()) / 8;
        boolean plain = samples.getNumBands() == PLAIN_BYTES && bytes == PLAIN_BYTES;
        return plain ? PLAIN_BYTES : Math.max(bytes, SCALED_BYTES);
    }

    private static int step(PictureHead head, int bytes) {
        int step = 1;
        while ((long) ((head.width() + step - 1) / step) * ((head.height() + step - 1) / step) * bytes
                > DECODED_BYTES_MAX) {
            step++;
        }
        return step;
    }
}
