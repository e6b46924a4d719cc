package io.fanfare.stream.match;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.lang.UScript;
import com.ibm.icu.text.BreakIterator;
import com.ibm.icu.text.Normalizer2;
import io.fanfare.common.text.StreamSafeText;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Makes spellings of the same word equal, and classifies characters. Folding is Unicode's NFKC_Casefold, then NFC (UAX
 * 15, UAX 44): full width is half width, sharp s is ss, capitals are small in every script, no language has a say.
 * Accents stay. A typographic apostrophe is a plain one, which Unicode leaves apart.
 */
final class TextNormalizer {
    /** Stands in folded text where an emoji stood: belongs to no word. */
    static final char EMOJI = '\uFFFC';

    private static final Normalizer2 NFKC_CASEFOLD = Normalizer2.getNFKCCasefoldInstance();
    private static final Normalizer2 NFC = Normalizer2.getNFCInstance();

    /**
     * Scripts that put no spaces between words, or (Hangul) particles behind them: there a keyword is looked for inside
     * of the text.
     */
    private static final BitSet UNSPACED = scripts();

    /** Pictographs of the basic plane. */
    private static final BitSet PICTOGRAPHS = pictographs();

    private static final int FIRST_PICTOGRAPH = 0x00A9;

    private TextNormalizer() {}

    private static BitSet scripts() {
        BitSet set = new BitSet();
        for (int script : List.of(
                UScript.HAN,
                UScript.HIRAGANA,
                UScript.KATAKANA,
                UScript.BOPOMOFO,
                UScript.HANGUL,
                UScript.THAI,
                UScript.LAO,
                UScript.KHMER,
                UScript.MYANMAR)) {
            set.set(script);
        }
        return set;
    }

    private static BitSet pictographs() {
        BitSet set = new BitSet();
        for (int c = FIRST_PICTOGRAPH; c <= Character.MAX_VALUE; c++) {
            set.set(c, isPictograph(c));
        }
        return set;
    }

    /**
     * For text without emoji: some of their parts would be folded away. Runs of combining marks are cut to what
     * {@link StreamSafeText} allows, since a text may come from a time, or a server, that allowed more.
     */
    static String fold(String text) {
        String folded = NFC.normalize(NFKC_CASEFOLD.normalize(StreamSafeText.cut(text)));
        return folded.indexOf('\u2019') < 0 ? folded : folded.replace('\u2019', '\'');
    }

    /** The same; with {@code simplified} also traditional Chinese characters as simplified ones. */
    static String fold(String text, boolean simplified) {
        return simplified ? ChineseFolding.fold(fold(text)) : fold(text);
    }

    /**
     * Hands out the text in pieces, in order: either emoji, each one (a grapheme cluster, without variation selectors),
     * or what stands between them.
     */
    static void split(String text, Consumer<String> emoji, Consumer<String> rest) {
        if (!mayHoldEmoji(text)) {
            rest.accept(text);
            return;
        }
        BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
        clusters.setText(text);
        int begun = 0;
        int from = 0;
        for (int to = clusters.next(); to != BreakIterator.DONE; from = to, to = clusters.next()) {
            if (isEmoji(text, from, to)) {
                if (begun < from) {
                    rest.accept(text.substring(begun, from));
                }
                emoji.accept(withoutVariation(text.substring(from, to)));
                begun = to;
            }
        }
        if (begun < text.length()) {
            rest.accept(text.substring(begun));
        }
    }

    /** False for nearly every text that holds none: finding where characters end costs as much as all the rest. */
    private static boolean mayHoldEmoji(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= FIRST_PICTOGRAPH && (PICTOGRAPHS.get(c) || Character.isSurrogate(c))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEmoji(String text, int from, int to) {
        for (int i = from; i < to; i += Character.charCount(text.codePointAt(i))) {
            if (isPictograph(text.codePointAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPictograph(int c) {
        return UCharacter.hasBinaryProperty(c, UProperty.EXTENDED_PICTOGRAPHIC)
                || UCharacter.hasBinaryProperty(c, UProperty.REGIONAL_INDICATOR);
    }

    private static String withoutVariation(String cluster) {
        return cluster.replace("\uFE0E", "").replace("\uFE0F", "");
    }

    /** Letters, digits and what belongs to them, of any script; and {@code _}. */
    static boolean isWord(int c) {
        if (c < 128) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z');
        }
        return switch (UCharacter.getType(c)) {
            case UCharacter.UPPERCASE_LETTER,
                    UCharacter.LOWERCASE_LETTER,
                    UCharacter.TITLECASE_LETTER,
                    UCharacter.MODIFIER_LETTER,
                    UCharacter.OTHER_LETTER,
                    UCharacter.NON_SPACING_MARK,
                    UCharacter.ENCLOSING_MARK,
                    UCharacter.COMBINING_SPACING_MARK,
                    UCharacter.DECIMAL_DIGIT_NUMBER,
                    UCharacter.LETTER_NUMBER,
                    UCharacter.OTHER_NUMBER -> true;
            default -> false;
        };
    }

    /** A word character of a script without spaces. */
    static boolean isUnspaced(int c) {
        if (c < 0x0E00) {
            return false;
        }
        // The sound marks of Japanese belong to no script of their own; punctuation is not looked up.
        return UNSPACED.get(UScript.getScript(c))
                || (UCharacter.getType(c) == UCharacter.MODIFIER_LETTER && UScript.hasScript(c, UScript.KATAKANA));
    }

    static boolean isSpace(int c) {
        return c == ' ' || (c <= 0x20 && c >= 0x09 && c != 0x0E) || (c > 127 && UCharacter.isUWhiteSpace(c));
    }
}
