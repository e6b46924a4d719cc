package io.fanfare.media;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.FileImageOutputStream;
import javax.imageio.stream.ImageOutputStream;

/** Writes pictures and nothing beside them. What is written is on the disk when a method returns. */
final class PictureEncoder {
    private static final float JPEG_QUALITY = 0.88f;

    private PictureEncoder() {}

    static void png(BufferedImage image, Path file) throws IOException {
        write("png", image, file, false);
    }

    /** @param image without transparency */
    static void jpeg(BufferedImage image, Path file) throws IOException {
        write("jpeg", image, file, true);
    }

    private static void write(String format, BufferedImage image, Path file, boolean quality) throws IOException {
        Files.deleteIfExists(file);
        ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
        try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
            try (ImageOutputStream out = new FileImageOutputStream(disk)) {
                ImageWriteParam param = writer.getDefaultWriteParam();
                if (quality) {
                    param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                    param.setCompressionQuality(JPEG_QUALITY);
                }
                writer.setOutput(out);
                writer.write(null, new IIOImage(image, null, null), param);
                out.flush();
                disk.getFD().sync();
            }
        } finally {
            writer.dispose();
        }
    }
}
