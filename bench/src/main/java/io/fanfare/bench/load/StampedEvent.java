package io.fanfare.bench.load;

import java.util.Arrays;

/**
 * The body of an event of a benchmark: {@value #BYTES} bytes of JSON with the moment at which it was due, behind a
 * character that stands nowhere else in a stream.
 */
public final class StampedEvent {
    public static final int BYTES = 600;

    /** Comes right before the stamp. */
    static final char MARK = '~';

    /**
     * Decimal digits of a stamp, which is {@link System#nanoTime}: on one machine the same in all processes, and for
     * programs in C {@code CLOCK_MONOTONIC}.
     */
    static final int DIGITS = 19;

    private static final String HEAD = "{\"stamp\":\"" + MARK;
    private static final String WORDS =
            "the quick brown fox jumps over the lazy dog and everybody who follows it reads of it ";

    /** The end of the stamp. */
    static final int STAMP_END = HEAD.length() + DIGITS;

    private static final String TAIL = tail();

    private StampedEvent() {}

    public static String body(long stamp) {
        char[] digits = new char[DIGITS];
        Arrays.fill(digits, '0');
        long rest = stamp;
        for (int i = DIGITS - 1; rest > 0; i--) {
            digits[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
        return HEAD + new String(digits) + TAIL;
    }

    private static String tail() {
        String begin = "\",\"text\":\"";
        String end = "\"}";
        int length = BYTES - STAMP_END - begin.length() - end.length();
        return begin + WORDS.repeat(length / WORDS.length() + 1).substring(0, length) + end;
    }
}
