package io.fanfare.api.search;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/**
 * How texts become words (Unicode Standard Annex 29). Chinese characters and hiragana are words each, so that words of
 * those are found as phrases; {@link ScriptWords} divides the other scripts that put no spaces between words. Case,
 * accents, vowel marks of Arabic and Hebrew, invisible characters, and forms of compatibility do not count.
 */
final class SearchWords extends Analyzer {
    private static final int PARTS_APART = 100;

    /** Letters that normalisation leaves whole, as people write them without their signs. */
    private static final Map<Character, String> PLAIN = Map.ofEntries(
            Map.entry('ł', "l"),
            Map.entry('ø', "o"),
            Map.entry('đ', "d"),
            Map.entry('ð', "d"),
            Map.entry('ħ', "h"),
            Map.entry('ŧ', "t"),
            Map.entry('ı', "i"),
            Map.entry('ß', "ss"),
            Map.entry('æ', "ae"),
            Map.entry('œ', "oe"),
            Map.entry('þ', "th"),
            Map.entry('ς', "σ"),
            Map.entry('\u2019', "'"));

    private final boolean indexed;

    private SearchWords(boolean indexed) {
        this.indexed = indexed;
    }

    /**
     * The words of a text that is indexed: of a Korean word its beginnings, too, so that it is found under its ending.
     */
    static SearchWords ofText() {
        return new SearchWords(true);
    }

    /** The words that somebody looks for. */
    static SearchWords ofQuery() {
        return new SearchWords(false);
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
        Tokenizer tokens = new StandardTokenizer();
        TokenStream words = new ScriptWords(tokens, indexed);
        return new TokenStreamComponents(tokens, words);
    }

    /** Phrases end where a text does. */
    @Override
    public int getPositionIncrementGap(String field) {
        return PARTS_APART;
    }

    /** The form in which texts are indexed and looked for. */
    static String folded(String text) {
        String apart = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
        StringBuilder plain = new StringBuilder(apart.length());
        for (int i = 0; i < apart.length(); i++) {
            char c = apart.charAt(i);
            if (c < 0x80) {
                plain.append(c);
            } else if (!isLeftOut(c)) {
                String letters = PLAIN.get(c);
                if (letters == null) {
                    plain.append(c);
                } else {
                    plain.append(letters);
                }
            }
        }
        return Normalizer.normalize(plain, Normalizer.Form.NFC);
    }

    /** Accents, points and vowel marks that a writer may leave out, and what nobody sees. */
    private static boolean isLeftOut(char c) {
        if (c < 0x0300) {
            return c == '\u00ad'; // A soft hyphen.
        }
        boolean accent = c <= 0x036f;
        boolean hebrew = c >= 0x0591 && c <= 0x05c7 && Character.getType(c) == Character.NON_SPACING_MARK;
        boolean arabic = c >= 0x0610
                && c <= 0x06ed
                && (Character.getType(c) == Character.NON_SPACING_MARK || c == '\u0640' || c == '\u06e5');
        boolean joiner = c == '\u200c' || c == '\u200d' || c == '\u2060';
        return accent || hebrew || arabic || joiner;
    }
}
