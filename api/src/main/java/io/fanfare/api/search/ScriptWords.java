package io.fanfare.api.search;

import com.ibm.icu.text.BreakIterator;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/**
 * Divides tokens of scripts that glue words together. Runs of Thai, Lao, Khmer and Burmese become the words of ICU's
 * dictionaries, one after the other, in texts as in queries. A Korean word has particles and endings behind it: the
 * index has its beginnings of two syllables and more at the same place, so that 서울 is found in 서울에서 and not in 강서울산.
 * Confined to the thread of its stream.
 */
final class ScriptWords extends TokenFilter {
    /** Syllables of a Korean beginning. */
    private static final int BEGINNING_MIN = 2;

    private static final int BEGINNING_MAX = 12;

    private final boolean indexed;
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);

    /** Words of the last token that are still to come. */
    private final Deque<String> words = new ArrayDeque<>();

    /** Whether they stand at the same place. */
    private boolean together;

    private State token;

    /** Made for the first token that needs it. */
    private BreakIterator breaks;

    /** @param indexed whether beginnings of Korean words are words, too */
    ScriptWords(TokenStream tokens, boolean indexed) {
        super(tokens);
        this.indexed = indexed;
    }

    @Override
    public boolean incrementToken() throws IOException {
        if (!words.isEmpty()) {
            restoreState(token);
            next(together ? 0 : 1);
            return true;
        }
        if (!input.incrementToken()) {
            return false;
        }
        if (term.length() < BEGINNING_MIN || term.charAt(0) < 0x0e00) {
            return true;
        }
        switch (Character.UnicodeScript.of(term.charAt(0))) {
            case THAI, LAO, KHMER, MYANMAR -> divide();
            case HANGUL -> addBeginnings();
            default -> {}
        }
        return true;
    }

    private void divide() {
        String run = term.toString();
        if (breaks == null) {
            breaks = BreakIterator.getWordInstance(Locale.ROOT);
        }
        breaks.setText(run);
        int from = 0;
        for (int to = breaks.next(); to != BreakIterator.DONE; from = to, to = breaks.next()) {
            words.addLast(run.substring(from, to));
        }
        together = false;
        token = captureState();
        next(increment.getPositionIncrement());
    }

    private void addBeginnings() {
        int length = term.length();
        if (!indexed || !isHangul()) {
            return;
        }
        for (int end = BEGINNING_MIN; end < Math.min(length, BEGINNING_MAX + 1); end++) {
            words.addLast(term.subSequence(0, end).toString());
        }
        together = true;
        token = captureState();
    }

    private boolean isHangul() {
        for (int i = 0; i < term.length(); i++) {
            if (Character.UnicodeScript.of(term.charAt(i)) != Character.UnicodeScript.HANGUL) {
                return false;
            }
        }
        return true;
    }

    private void next(int places) {
        term.setEmpty().append(words.removeFirst());
        increment.setPositionIncrement(places);
    }

    @Override
    public void reset() throws IOException {
        super.reset();
        words.clear();
        token = null;
    }
}
