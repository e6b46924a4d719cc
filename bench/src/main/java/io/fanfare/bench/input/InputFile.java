package io.fanfare.bench.input;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** Opens text files as people have them: UTF-8 (bytes that are not become U+FFFD), with or without a byte order mark, plain or gzip. */
public final class InputFile {
    private static final int GZIP_MAGIC_1 = 0x1f;
    private static final int GZIP_MAGIC_2 = 0x8b;
    private static final int BUFFER_BYTES = 1 << 16;

    private InputFile() {}

    /** The text of the file; gzip is told by its first two bytes, not by the name. The caller closes it. */
    public static BufferedReader open(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            InputStream bytes = isGzip(raw) ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
            BufferedReader text =
                    new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8), BUFFER_BYTES);
            skipByteOrderMark(text);
            return text;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** The last part of the name, in lower case and without the dot; {@code .gz} does not count: {@code csv} for {@code a.csv.gz}, empty when there is none. */
    public static String type(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (name.endsWith(".gz")) {
            name = name.substring(0, name.length() - ".gz".length());
        }
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static boolean isGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
        in.reset();
        return gzip;
    }

    private static void skipByteOrderMark(BufferedReader text) throws IOException {
        text.mark(1);
        if (text.read() != '\uFEFF') {
            text.reset();
        }
    }
}
