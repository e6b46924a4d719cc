package io.fanfare.redis;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Collects commands in the form in which Redis reads them (arrays of bulk strings), until they are taken for one write.
 * Writes the namespace before keys and channels. Confined to one thread.
 */
final class RespEncoder {
    private static final int KEPT_MAX = 256 << 10;
    private static final int DIGITS_MAX = 20;

    /** Up to here it is quicker to look at each character than to make an array. */
    private static final int SHORT_CHARS_MAX = 64;

    /** 1, 10, 100 ... 10^18. */
    private static final long[] POWERS =
            LongStream.iterate(1, power -> power * 10).limit(19).toArray();

    /** 00, 01, 02 ... 99. */
    private static final byte[] PAIRS = pairs();

    private static final byte[] NOTHING = {};

    /** The beginning of keys. */
    private final byte[] namespace;

    private byte[] bytes = new byte[8 << 10];
    private int length;

    RespEncoder(Namespace namespace) {
        this.namespace = namespace.bytes();
    }

    private static byte[] pairs() {
        byte[] pairs = new byte[200];
        for (int i = 0; i < 100; i++) {
            pairs[2 * i] = (byte) ('0' + i / 10);
            pairs[2 * i + 1] = (byte) ('0' + i % 10);
        }
        return pairs;
    }

    int length() {
        return length;
    }

    /** Appends one command. */
    void append(Command command) {
        Object[] args = command.args();
        int keysFrom = command.keysFrom();
        int keysTo = command.keysTo();
        header('*', args.length + 1);
        string(NOTHING, command.name());
        for (int i = 0; i < args.length; i++) {
            argument(i >= keysFrom && i < keysTo ? namespace : NOTHING, args[i]);
        }
    }

    /** Returns the collected bytes; the collection is empty afterwards. */
    Buffer take() {
        Buffer taken = Buffer.buffer(length).appendBytes(bytes, 0, length);
        length = 0;
        if (bytes.length > KEPT_MAX) {
            bytes = new byte[8 << 10];
        }
        return taken;
    }

    private void argument(byte[] before, Object arg) {
        if (arg instanceof String text) {
            string(before, text);
        } else if (arg instanceof byte[] raw) {
            bulk(before, raw);
        } else if (arg instanceof Command.Named named) {
            string(namespace, named.name());
        } else {
            number(((Number) arg).longValue()); // Command takes nothing else.
        }
    }

    /** Short ASCII, which nearly everything is, is copied byte by byte without an array of its own. */
    private void string(byte[] before, String text) {
        int chars = text.length();
        if (chars > SHORT_CHARS_MAX) {
            bulk(before, text.getBytes(StandardCharsets.UTF_8));
            return;
        }
        int start = length;
        header('$', before.length + chars);
        reserve(before.length + chars + 2);
        System.arraycopy(before, 0, bytes, length, before.length);
        int at = length + before.length;
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                length = start;
                bulk(before, text.getBytes(StandardCharsets.UTF_8));
                return;
            }
            bytes[at++] = (byte) c;
        }
        length = at;
        crlf();
    }

    private void bulk(byte[] before, byte[] raw) {
        header('$', before.length + raw.length);
        reserve(before.length + raw.length + 2);
        System.arraycopy(before, 0, bytes, length, before.length);
        length += before.length;
        System.arraycopy(raw, 0, bytes, length, raw.length);
        length += raw.length;
        crlf();
    }

    private void number(long value) {
        int digits = digits(value);
        header('$', digits);
        reserve(DIGITS_MAX + 2);
        decimal(value, digits);
        crlf();
    }

    private void header(char type, int count) {
        reserve(DIGITS_MAX + 3);
        bytes[length++] = (byte) type;
        if (count < 100) { // Nearly all are, and there is one before every argument.
            if (count >= 10) {
                bytes[length++] = (byte) ('0' + count / 10);
            }
            bytes[length++] = (byte) ('0' + count % 10);
        } else {
            decimal(count, digits(count));
        }
        crlf();
    }

    /** @param digits how many characters it has, with its sign */
    private void decimal(long value, int digits) {
        int end = length + digits;
        int at = end;
        // Downwards from a negative rest: Long.MIN_VALUE has no positive counterpart.
        long rest = value < 0 ? value : -value;
        while (rest <= -10) { // Two at a time: what takes the time is to wait for each division.
            long left = rest / 100;
            int two = 2 * (int) (left * 100 - rest);
            bytes[--at] = PAIRS[two + 1];
            bytes[--at] = PAIRS[two];
            rest = left;
        }
        if (rest != 0 || value == 0) {
            bytes[--at] = (byte) ('0' - rest);
        }
        if (value < 0) {
            bytes[--at] = '-';
        }
        length = end;
    }

    private static int digits(long value) {
        if (value <= 0) {
            return value == 0 ? 1 : value == Long.MIN_VALUE ? DIGITS_MAX : 1 + digits(-value);
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value);
        int fewest = bits * 1233 / 4096; // By log10(2), rounded down: one short at most.
        return value < POWERS[fewest] ? fewest : fewest + 1;
    }

    private void crlf() {
        bytes[length++] = '\r';
        bytes[length++] = '\n';
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
