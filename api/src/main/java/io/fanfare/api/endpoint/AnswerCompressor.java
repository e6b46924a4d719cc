package io.fanfare.api.endpoint;

import io.fanfare.vertx.VertxInternals;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses bodies for clients that accept gzip (RFC 1952; RFC 9110, section 12.5.3). Answers to GET alone, and none
 * that is short or very long: it runs on the event loop, about 1 ms for the longest. Those that are {@link Answer#kept}
 * are compressed once, however long. Where an answer has a secret beside a stranger's text, its length would tell of
 * the secret (BREACH): tokens and codes are answers to POST, and answers that set a cookie, such as the page to log in
 * at, stay as they are. Confined to one event loop.
 */
public final class AnswerCompressor {
    /** Shorter bodies fit into one packet, compressed or not. */
    static final int BYTES_MIN = 1 << 10;

    static final int BYTES_MAX = 256 << 10;

    /** One byte in so many may be outside of ASCII for {@link PageDeflater}, whose codes are long for them. */
    private static final int ASCII_PART = 64;

    /** The beginning of a member (RFC 1952, section 2.3): deflate, no flags, no time, system unknown. */
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private static final int TRAILER_BYTES = 8;

    /** The growth of incompressible blocks is a few bytes each. */
    private static final int OVERHEAD_BYTES = 64;

    private final boolean enabled;
    private final Deflater deflater;
    private final PageDeflater pages = new PageDeflater();
    private final CRC32 checksum = new CRC32();
    private byte[] out = new byte[8 << 10];

    /** @param enabled false = nothing is compressed, since a proxy does it, or nobody should */
    public AnswerCompressor(boolean enabled) {
        this.enabled = enabled;
        // One for all answers, since each takes 256 KiB outside of the heap.
        this.deflater = new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);
    }

    /** Whether an answer of this kind may be compressed, so that caches must ask who accepts what. */
    boolean covers(HttpServerRequest request, Answer answer) {
        int bytes = answer.body().length();
        return enabled
                && request.method().equals(HttpMethod.GET)
                && bytes >= BYTES_MIN
                && (answer.isKept() || bytes <= BYTES_MAX)
                && !answer.headers().containsKey("Set-Cookie")
                && isText(answer.type());
    }

    /** Whether compression helps: it gains nothing on pictures. */
    private static boolean isText(CharSequence type) {
        String name = type.toString();
        return name.startsWith("application/json")
                || name.startsWith("application/rss")
                || name.startsWith("image/svg")
                || name.startsWith("text/")
                || name.startsWith("application/yaml");
    }

    /**
     * The body as one member of gzip.
     *
     * @param kept whether the result is sent again and again, so that it may take longer
     */
    Buffer compress(Buffer body, boolean kept) {
        byte[] bytes = body.getBytes();
        checksum.reset();
        checksum.update(bytes);
        boolean page = !kept && isJson(bytes) && isMostlyAscii(bytes);
        int bytesMax =
                page ? PageDeflater.bytesMax(bytes.length) : bytes.length + (bytes.length >> 10) + OVERHEAD_BYTES;
        if (out.length < HEAD.length + bytesMax + TRAILER_BYTES) {
            out = new byte[HEAD.length + bytesMax + TRAILER_BYTES];
        }
        System.arraycopy(HEAD, 0, out, 0, HEAD.length);
        int length = page ? pages.deflate(bytes, bytes.length, out, HEAD.length) : deflate(bytes, kept);
        length = writeNumber(length, (int) checksum.getValue());
        length = writeNumber(length, bytes.length);
        return VertxInternals.wrap(Arrays.copyOf(out, length));
    }

    /** Compresses with zlib, behind the head; returns the position behind the output. */
    private int deflate(byte[] bytes, boolean kept) {
        deflater.reset();
        // The scripts of the web client, 106 KB, are 42 KB at the lowest and 37 KB at the usual level, for 5 ms once.
        deflater.setLevel(kept && bytes.length <= BYTES_MAX ? Deflater.DEFAULT_COMPRESSION : Deflater.BEST_SPEED);
        deflater.setInput(bytes);
        deflater.finish();
        int length = HEAD.length;
        while (!deflater.finished()) {
            length += deflater.deflate(out, length, out.length - length);
        }
        return length;
    }

    private static boolean isJson(byte[] bytes) {
        return bytes[0] == '[' || bytes[0] == '{';
    }

    private static boolean isMostlyAscii(byte[] bytes) {
        int others = 0;
        for (byte one : bytes) {
            others += one >>> (Integer.SIZE - 1);
        }
        return others <= bytes.length / ASCII_PART;
    }

    /** The lowest byte first. */
    private int writeNumber(int at, int number) {
        for (int i = 0; i < Integer.BYTES; i++) {
            out[at + i] = (byte) (number >>> (Byte.SIZE * i));
        }
        return at + Integer.BYTES;
    }
}
