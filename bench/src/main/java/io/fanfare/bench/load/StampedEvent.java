package io.fanfare.bench.load;

import java.util.Arrays;
import java.util.SplittableRandom;

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
    /** Each about as often as in English, so that compression gains no more than with real texts. */
    private static final String LETTERS = "eeeetttaaoooiinnsshhrrdlucmf    ";

    private static final int BITS_PER_LETTER = 5;

    /** The end of the stamp. */
    static final int STAMP_END = HEAD.length() + DIGITS;

    private static final String TEXT_BEGIN = "\",\"text\":\"";
    private static final String TEXT_END = "\"}";
    private static final int TEXT_LENGTH = BYTES - STAMP_END - TEXT_BEGIN.length() - TEXT_END.length();

    private StampedEvent() {}

    public static String body(long stamp) {
        char[] digits = new char[DIGITS];
        Arrays.fill(digits, '0');
        long rest = stamp;
        for (int i = DIGITS - 1; rest > 0; i--) {
            digits[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
        return HEAD + new String(digits) + TEXT_BEGIN + text(stamp) + TEXT_END;
    }

    /** Another text for each stamp. */
    private static String text(long stamp) {
        char[] text = new char[TEXT_LENGTH];
        SplittableRandom random = new SplittableRandom(stamp);
        long bits = 0;
        for (int i = 0; i < TEXT_LENGTH; i++) {
            // As many letters as one number has bits for.
            bits = i % (Long.SIZE / BITS_PER_LETTER) == 0 ? random.nextLong() : bits >>> BITS_PER_LETTER;
            text[i] = LETTERS.charAt((int) (bits & (LETTERS.length() - 1)));
        }
        return new String(text);
    }
}
