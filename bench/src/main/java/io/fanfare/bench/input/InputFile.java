package io.fanfare.bench.input;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Opens text files as people have them: UTF-8 (bytes that are not become U+FFFD), with or without a byte order mark,
 * plain or gzip.
 */
public final class InputFile {
    private static final int GZIP_MAGIC_1 = 0x1f;
    private static final int GZIP_MAGIC_2 = 0x8b;
    private static final int BUFFER_BYTES = 1 << 16;

    private InputFile() {}

    /** The file cannot be read, or not to its end: the message says which file and why, for the person who named it. */
    public static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1L;

        private Unreadable(String what, Path file, String why) {
            super("the " + what + " file " + file + " " + why);
        }

        private static Unreadable of(String what, Path file, IOException cause) {
            if (cause instanceof NoSuchFileException) {
                return new Unreadable(what, file, "does not exist");
            }
            if (cause instanceof AccessDeniedException) {
                return new Unreadable(what, file, "is not readable for this user");
            }
            if (cause instanceof ZipException || cause instanceof EOFException) {
                return new Unreadable(what, file, "is broken gzip (" + cause.getMessage() + ")");
            }
            return new Unreadable(what, file, "cannot be read: " + cause.getMessage());
        }
    }

    /**
     * The text of the file; gzip is told by its first two bytes, not by the name. The caller closes it. Opening and
     * reading fail with {@link Unreadable}.
     *
     * @param what the file's part, for messages: {@code graph}
     */
    public static BufferedReader open(Path file, String what) throws IOException {
        if (Files.isDirectory(file)) {
            throw new Unreadable(what, file, "is a directory");
        }
        try {
            InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
            try {
                InputStream bytes = isGzip(raw) ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
                BufferedReader text = new BufferedReader(
                        new InputStreamReader(new Explained(bytes, file, what), StandardCharsets.UTF_8), BUFFER_BYTES);
                skipByteOrderMark(text);
                return text;
            } catch (IOException e) {
                raw.close();
                throw e;
            }
        } catch (Unreadable e) {
            throw e;
        } catch (IOException e) {
            throw Unreadable.of(what, file, e);
        }
    }

    /**
     * The last part of the name, in lower case and without the dot; {@code .gz} does not count: {@code csv} for
     * {@code a.csv.gz}, empty when there is none.
     */
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

    /** Damaged gzip shows in the middle of the file: every failure to read becomes a sentence. */
    private static final class Explained extends FilterInputStream {
        private final Path file;
        private final String what;

        Explained(InputStream in, Path file, String what) {
            super(in);
            this.file = file;
            this.what = what;
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException e) {
                throw Unreadable.of(what, file, e);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return super.read(bytes, offset, length);
            } catch (IOException e) {
                throw Unreadable.of(what, file, e);
            }
        }
    }
}
