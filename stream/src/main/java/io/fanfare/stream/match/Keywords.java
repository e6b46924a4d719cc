package io.fanfare.stream.match;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Phrases that are folded alike, and the filters that look for them, which are numbers here. A keyword that stands alone leads to its filters at once; a phrase of several is found by its
 * longest ({@link Phrase#anchor}), and the others are verified then. A keyword of a script without spaces is found by its first two characters of that script, wherever they stand
 * in the text; if it has no more, that is all. Confined to one event loop.
 */
final class Keywords {
    /** Takes what is found; a filter perhaps several times. */
    interface Found {
        /**
         * A filter has such a phrase.
         *
         * @param inOwn whether it is in the author's own words, not only in those of the status that is shown with them
         */
        void filter(int filter, boolean inOwn);
    }

    /** A phrase that has to be verified, and its filters. */
    private static final class Entry {
        final Phrase phrase;
        final Term anchor;
        final List<Term> others;

        /** Where the first character without spaces is in the anchor, if it has any. */
        final int core;

        int[] filters = {};
        int stamp;

        Entry(Phrase phrase) {
            this.phrase = phrase;
            this.anchor = phrase.anchor();
            this.others = phrase.others();
            this.core = anchor instanceof Term.Part part ? part.core() : 0;
        }
    }

    private static final int ROOM_FIRST = 64;

    private final boolean simplified;
    private final Numbered<Entry> entries = new Numbered<>();
    private final Postings byPhrase = new Postings();

    // These lead to filters and to entries: twice the number of a filter, twice that of an entry plus one.
    private final Postings byWord = new Postings();
    private final Postings byStart = new Postings();

    /** Characters that are keywords by themselves, or the last of one: few. */
    private final BitSet singles = new BitSet();

    // Between sift and find: what a text has of each, and the numbers of those that may be looked for.
    private int[] siftedWords = new int[ROOM_FIRST];
    private int wordsSifted;
    private long[] starts = new long[ROOM_FIRST];
    private int[] placesOfStarts = new int[ROOM_FIRST];
    private int[] siftedStarts = new int[ROOM_FIRST];
    private int startsSifted;

    private int stamp;

    /** @param simplified whether traditional Chinese characters are taken for simplified ones */
    Keywords(boolean simplified) {
        this.simplified = simplified;
    }

    void add(Phrase phrase, int filter) {
        if (isKnownByKey(phrase)) {
            addKey(phrase.anchor(), 2 * filter);
            return;
        }
        int number = number(phrase);
        if (number < 0) {
            number = entries.add(new Entry(phrase));
            byPhrase.add(phrase.hash(), 0, number);
            addKey(phrase.anchor(), 2 * number + 1);
        }
        Entry entry = entries.get(number);
        entry.filters = Postings.with(entry.filters, filter);
    }

    void remove(Phrase phrase, int filter) {
        if (isKnownByKey(phrase)) {
            removeKey(phrase.anchor(), 2 * filter);
            return;
        }
        int number = number(phrase);
        Entry entry = entries.get(number);
        entry.filters = Postings.without(entry.filters, filter);
        if (entry.filters.length == 0) {
            removeKey(phrase.anchor(), 2 * number + 1);
            byPhrase.remove(phrase.hash(), 0, number);
            entries.remove(number);
        }
    }

    /** Whether a text that has the key has the phrase. */
    private static boolean isKnownByKey(Phrase phrase) {
        Term term = phrase.terms().get(0);
        boolean whole = !(term instanceof Term.Part part)
                || (part.text().codePoints().allMatch(Folding::isUnspaced)
                        && part.text().codePointCount(0, part.text().length()) <= 2);
        return phrase.terms().size() == 1 && whole;
    }

    private void addKey(Term term, int target) {
        if (term instanceof Term.Part part) {
            long start = start(part.text(), part.core());
            byStart.add(start, 0, target);
            if (isSingle(start)) {
                singles.set((int) start);
            }
        } else {
            byWord.add(term.hash(), Words.check(term.text()), target);
        }
    }

    private void removeKey(Term term, int target) {
        if (term instanceof Term.Part part) {
            long start = start(part.text(), part.core());
            byStart.remove(start, 0, target);
            if (isSingle(start) && byStart.get(start, 0).length == 0) {
                singles.clear((int) start);
            }
        } else {
            byWord.remove(term.hash(), Words.check(term.text()), target);
        }
    }

    /** Of the phrase's entry; -1 when it has none. */
    private int number(Phrase phrase) {
        return Arrays.stream(byPhrase.get(phrase.hash(), 0))
                .filter(number -> entries.get(number).phrase.equals(phrase))
                .findFirst()
                .orElse(-1);
    }

    /** The first half of {@link #find}: leaves out what is certainly looked for by nobody. Nobody pays for a folding that no filter asks for. */
    void sift(MatchDocument doc) {
        wordsSifted = 0;
        startsSifted = 0;
        if (!byWord.isEmpty()) {
            Words words = doc.all(simplified).words();
            siftedWords = roomy(siftedWords, words.size());
            wordsSifted = byWord.sift(words.hashes(), words.size(), siftedWords);
        }
        if (!byStart.isEmpty()) {
            int size = noteStarts(doc.all(simplified).folded());
            siftedStarts = roomy(siftedStarts, size);
            startsSifted = byStart.sift(starts, size, siftedStarts);
        }
    }

    private static int[] roomy(int[] room, int size) {
        return size <= room.length ? room : new int[2 * size];
    }

    /** Names every filter one of whose phrases the status has, which has been sifted. */
    void find(MatchDocument doc, Found found) {
        stamp++;
        if (wordsSifted > 0) {
            findWords(doc.all(simplified), doc.own(simplified), found);
        }
        if (startsSifted > 0) {
            findParts(doc.all(simplified), doc.own(simplified), found);
        }
    }

    private void findWords(TextForms all, TextForms own, Found found) {
        Words words = all.words();
        for (int i = 0; i < wordsSifted; i++) {
            int word = siftedWords[i];
            for (int target : byWord.get(words.hash(word), words.check(word))) {
                if (isFilter(target)) {
                    found.filter(target / 2, all == own || own.words().has(words, word));
                } else {
                    verify(entries.get(target / 2), all, own, found);
                }
            }
        }
    }

    private void findParts(TextForms all, TextForms own, Found found) {
        for (int i = 0; i < startsSifted; i++) {
            int start = siftedStarts[i];
            lookUp(starts[start], placesOfStarts[start], all, own, found);
        }
    }

    /** Notes how keywords may begin in a text of scripts without spaces; answers how many ways there are. */
    private int noteStarts(String text) {
        int size = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (Folding.isUnspaced(c)) {
                if (size + 2 > starts.length) {
                    starts = Arrays.copyOf(starts, 2 * starts.length);
                    placesOfStarts = Arrays.copyOf(placesOfStarts, starts.length);
                }
                starts[size] = start(text, i);
                placesOfStarts[size++] = i;
                if (singles.get(c)) {
                    starts[size] = c;
                    placesOfStarts[size++] = i;
                }
            }
            i += Character.charCount(c);
        }
        return size;
    }

    private void lookUp(long start, int at, TextForms all, TextForms own, Found found) {
        for (int target : byStart.get(start, 0)) {
            if (isFilter(target)) {
                // The author's own words come first.
                found.filter(target / 2, at < own.folded().length());
                continue;
            }
            Entry entry = entries.get(target / 2);
            if (entry.stamp != stamp && ((Term.Part) entry.anchor).standsAt(all.folded(), at - entry.core)) {
                verify(entry, all, own, found);
            }
        }
    }

    private static boolean isFilter(int target) {
        return (target & 1) == 0;
    }

    /** The text has the anchor. Whatever a filter looks at, its words are among all words of the status; which they are is asked when those have the phrase. */
    private void verify(Entry entry, TextForms all, TextForms own, Found found) {
        if (entry.stamp == stamp) {
            return;
        }
        entry.stamp = stamp;
        for (Term term : entry.others) {
            if (!term.matches(all)) {
                return;
            }
        }
        boolean inOwn = all == own || entry.phrase.matches(own);
        for (int filter : entry.filters) {
            found.filter(filter, inOwn);
        }
    }

    private static boolean isSingle(long start) {
        return start <= Character.MAX_CODE_POINT;
    }

    /** The character and the next as one number, 21 bits each as Unicode needs; the character alone when it is the last. */
    private static long start(String text, int at) {
        int first = text.codePointAt(at);
        int next = at + Character.charCount(first);
        return next < text.length() ? (long) text.codePointAt(next) << 21 | first : first;
    }
}
