package io.fanfare.common.text;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import java.util.BitSet;

/**
 * The guard in front of Unicode normalisation. A normaliser sorts each run of combining marks by insertion, so a run of
 * n marks costs n squared: 64 KB of alternating marks take 0.3 s. The Stream-Safe Text Format of UAX #15, section 13
 * therefore allows {@value #MARKS_MAX} non-starters in a row, which no language comes near: what is written in one cell
 * of Thai, Tibetan or Hebrew has fewer than ten. Texts that users send are refused when they are not stream-safe; texts
 * that are stored already are cut.
 *
 * <p>A mark is counted once, although a few decompose into two and a letter may bring up to three of its own. What
 * NFKC_Casefold takes away (joiners, variation selectors) ends no run, for the marks around it become neighbours.
 */
public final class StreamSafeText {
    /** Combining marks that may stand in a row. */
    public static final int MARKS_MAX = 30;

    private static final int FIRST_MARK = 0x0300;
    private static final int SOFT_HYPHEN = 0x00AD;

    /** Sound marks of half-width Katakana: letters by themselves, but combining marks once they are normalised. */
    private static final int HALF_WIDTH_VOICED = 0xFF9E;

    private static final int HALF_WIDTH_SEMI_VOICED = 0xFF9F;

    /** Marks of the basic plane: texts are looked at on every post and every event. */
    private static final BitSet MARKS = marks();

    private StreamSafeText() {}

    private static BitSet marks() {
        BitSet marks = new BitSet();
        for (int c = FIRST_MARK; c <= Character.MAX_VALUE; c++) {
            marks.set(c, isMark(c));
        }
        return marks;
    }

    /** Whether no run of combining marks is longer than {@value #MARKS_MAX}. */
    public static boolean isStreamSafe(String text) {
        return firstBeyond(text) == text.length();
    }

    /**
     * The same text when it is stream-safe; else without the marks of each run behind its first {@value #MARKS_MAX}.
     */
    public static String cut(String text) {
        int from = firstBeyond(text);
        return from == text.length() ? text : cut(text, from);
    }

    private static String cut(String text, int from) {
        StringBuilder kept = new StringBuilder(text.length()).append(text, 0, from);
        int marks = MARKS_MAX;
        for (int i = from; i < text.length(); ) {
            int c = text.codePointAt(i);
            marks = marks(marks, c);
            if (marks <= MARKS_MAX) {
                kept.appendCodePoint(c);
            }
            i += Character.charCount(c);
        }
        return kept.toString();
    }

    /** Index of the first mark that is one too many; the length of the text when there is none. */
    private static int firstBeyond(String text) {
        int marks = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            marks = marks(marks, c);
            if (marks > MARKS_MAX) {
                return i;
            }
            i += Character.charCount(c);
        }
        return text.length();
    }

    /** How many marks stand in a row with this character as the last, when there were so many before it. */
    private static int marks(int before, int c) {
        if (c < FIRST_MARK && c != SOFT_HYPHEN) {
            return 0;
        }
        if (c <= Character.MAX_VALUE ? MARKS.get(c) : isMark(c)) {
            return before + 1;
        }
        // While a run is too long, what vanishes when it is normalised goes with its marks.
        return before > 0 && UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT) ? before : 0;
    }

    private static boolean isMark(int c) {
        // Of its decomposition: a few of Tibetan's vowel signs are of class 0, and made of two marks that are not.
        return UCharacter.getIntPropertyValue(c, UProperty.LEAD_CANONICAL_COMBINING_CLASS) > 0
                || c == HALF_WIDTH_VOICED
                || c == HALF_WIDTH_SEMI_VOICED;
    }
}
