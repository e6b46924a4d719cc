package io.fanfare.app.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;

/**
 * How many answers came on a connection, and how large they are without their compression: what the server had to make
 * of them. Bytes are counted and not kept, so that an archive takes no memory however well it is packed.
 */
final class Unpacked {
    private static final Pattern STATUS = Pattern.compile("http/1\\.[01] ([1-5])\\d\\d\\b");

    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: (\\d{1,9})\r\n");

    private final byte[] bytes;
    private final boolean bodiless;
    private int at;
    private int answers;
    private long saved;

    private Unpacked(byte[] bytes, boolean bodiless) {
        this.bytes = bytes;
        this.bodiless = bodiless;
    }

    /**
     * Reads answers, one behind the other, as far as they are complete.
     *
     * @param bodiless whether they answer a HEAD
     */
    static Unpacked of(byte[] answers, boolean bodiless) {
        Unpacked unpacked = new Unpacked(answers, bodiless);
        boolean more = true;
        for (int head = unpacked.headEnd(); more && head >= 0; head = unpacked.headEnd()) {
            more = unpacked.next(head);
        }
        return unpacked;
    }

    /** The number of final answers. */
    int answers() {
        return answers;
    }

    /** The bytes that compression has saved. */
    long saved() {
        return saved;
    }

    private int headEnd() {
        for (int i = at; i + 3 < bytes.length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
                return i + 4;
            }
        }
        return -1;
    }

    /** Answers false when no answer begins here. */
    private boolean next(int headEnd) {
        String head = new String(bytes, at, headEnd - at, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        Matcher status = STATUS.matcher(head);
        if (!status.lookingAt()) {
            return false;
        }
        at = headEnd;
        if (!status.group(1).equals("1")) {
            answers++;
            saved += bodiless ? 0 : savedOf(head);
        }
        return true;
    }

    private long savedOf(String head) {
        Matcher length = LENGTH.matcher(head);
        byte[] body;
        if (head.contains("\r\ntransfer-encoding: chunked\r\n")) {
            body = chunks();
        } else {
            body = upTo(length.find() ? at + Integer.parseInt(length.group(1)) : at);
        }
        try {
            if (head.contains("\r\ncontent-type: application/zip")) {
                return Math.max(0, zip(body) - body.length);
            }
            if (head.contains("\r\ncontent-encoding: gzip\r\n")) {
                return Math.max(0, count(new GZIPInputStream(new ByteArrayInputStream(body))) - body.length);
            }
        } catch (IOException e) {
            return 0; // It is not complete.
        }
        return 0;
    }

    private byte[] upTo(int end) {
        byte[] part = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, end));
        at += part.length;
        return part;
    }

    private byte[] chunks() {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int line = at;
            while (line < bytes.length && bytes[line] != '\r') {
                line++;
            }
            String size = new String(bytes, at, line - at, StandardCharsets.ISO_8859_1);
            at = Math.min(bytes.length, line + 2);
            int length = size.matches("[0-9a-fA-F]{1,7}") ? Integer.parseInt(size, 16) : 0;
            body.writeBytes(upTo(at + length));
            at = Math.min(bytes.length, at + 2);
            if (length == 0) {
                return body.toByteArray();
            }
        }
    }

    private static long zip(byte[] body) throws IOException {
        long count = 0;
        try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(body))) {
            while (entries.getNextEntry() != null) {
                count += count(entries);
            }
        }
        return count;
    }

    private static long count(InputStream in) throws IOException {
        byte[] buffer = new byte[16 << 10];
        long count = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            count += read;
        }
        return count;
    }
}
