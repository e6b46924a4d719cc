package io.fanfare.common.search;

import java.text.Normalizer;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/**
 * How texts become words (Unicode Standard Annex 29): of scripts without spaces, such as Chinese, Japanese and Thai,
 * each character or syllable is one, so that words of those are found as phrases. Case, accents of Latin, Greek and
 * Cyrillic letters and forms of compatibility do not count.
 */
final class SearchWords extends Analyzer {
    private static final int PARTS_APART = 100;
    private static final char FIRST_ACCENT = '\u0300';
    private static final char LAST_ACCENT = '\u036f';

    @Override
    protected TokenStreamComponents createComponents(String field) {
        return new TokenStreamComponents(new StandardTokenizer());
    }

    /** Phrases end where a text does. */
    @Override
    public int getPositionIncrementGap(String field) {
        return PARTS_APART;
    }

    /** The form in which texts are indexed and looked for. */
    static String folded(String text) {
        String apart = Normalizer.normalize(text, Normalizer.Form.NFKD);
        StringBuilder plain = new StringBuilder(apart.length());
        for (int i = 0; i < apart.length(); i++) {
            char c = apart.charAt(i);
            if (c < FIRST_ACCENT || c > LAST_ACCENT) {
                plain.append(c);
            }
        }
        return Normalizer.normalize(plain, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }
}
