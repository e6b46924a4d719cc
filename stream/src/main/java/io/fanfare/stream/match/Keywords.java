package io.fanfare.stream.match;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Phrases that are folded alike, and the filters that look for them, which are numbers here. A keyword that stands
 * alone leads to its filters at once; a phrase of several is found by its longest ({@link Phrase#anchor}), and the
 * others are verified then.
 *
 * <p>A keyword of a script without spaces ({@link Term.Part}) is found by its first two characters of that script,
 * wherever they stand in the text; if it has no more, that is all. A few that begin alike are compared with the text
 * there. Of more the index knows which shapes there are (how long, and how much of it comes before), and looks up the
 * hash of the text there for each shape, computed from the hashes of its beginnings: so a place costs no more look-ups
 * than there are shapes, however many keywords there are. Confined to one event loop.
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

    /**
     * A phrase that is not known by its key alone, and its filters. Those of one anchor are a list, of which the first
     * is known by the anchor's key.
     */
    private static final class Entry {
        final Phrase phrase;
        final Term anchor;
        final List<Term> others;

        /** The place in the anchor of the first character without spaces, if it has any. */
        final int core;

        /** As those of {@link Postings#get}. */
        int[] filters = Postings.none();

        int number;
        Entry previous;
        Entry next;

        /** In the first entry: whether by accident there is another anchor of the same hash in the list. */
        boolean mixed;

        /** In the first entry: the text in which the anchor was found last. */
        int stamp;

        Entry(Phrase phrase) {
            this.phrase = phrase;
            this.anchor = phrase.anchor();
            this.others = phrase.others();
            this.core = anchor instanceof Term.Part part ? part.core() : 0;
        }
    }

    /**
     * Shapes of the keywords that begin alike: how many characters come before the beginning, times 2^16, plus the
     * length. In order, each with the number of such keywords.
     */
    private static final class Shapes {
        int[] shapes = {};
        int[] counts = {};

        void add(int shape) {
            int at = Arrays.binarySearch(shapes, shape);
            if (at < 0) {
                at = -at - 1;
                shapes = inserted(shapes, at, shape);
                counts = inserted(counts, at, 0);
            }
            counts[at]++;
        }

        /** Answers whether none is left. */
        boolean remove(int shape) {
            int at = Arrays.binarySearch(shapes, shape);
            if (--counts[at] == 0) {
                shapes = removed(shapes, at);
                counts = removed(counts, at);
            }
            return shapes.length == 0;
        }

        private static int[] inserted(int[] all, int at, int value) {
            int[] more = Arrays.copyOf(all, all.length + 1);
            System.arraycopy(all, at, more, at + 1, all.length - at);
            more[at] = value;
            return more;
        }

        private static int[] removed(int[] all, int at) {
            int[] fewer = Arrays.copyOf(all, all.length - 1);
            System.arraycopy(all, at + 1, fewer, at, fewer.length - at);
            return fewer;
        }
    }

    private static final int ROOM_FIRST = 64;

    // Kinds of targets.
    private static final int KINDS = 4;
    private static final int FILTER = 0;
    private static final int ENTRY = 1;
    private static final int SHAPES = 2;

    /** Anchors that begin alike and are compared one by one. */
    private static final int COMPARED_MAX = 4;

    /** Beginnings found in a text that are looked up each time; of more, each is looked up once. */
    private static final int REPEATED_MAX = 64;

    private final boolean simplified;
    private final long seed;

    /** The base of the polynomials that are the hashes of strings. */
    private final long base;

    private final Slab<Entry> entries = new Slab<>();
    private final Slab<Shapes> shapes = new Slab<>();
    private final Postings byPhrase;

    // These lead to filters, to first entries, or (byStart) to shapes: four times the number, and the kind.
    private final Postings byWord;
    private final Postings byStart;

    /** First entries by the hash of an anchor of a script without spaces, where there are too many to compare each. */
    private final Postings byPart;

    /** Characters that are keywords by themselves, or the last of one: few. */
    private final BitSet singles = new BitSet();

    // Between sift and find: what a text has of each, and the numbers of those that may be looked for.
    private int[] siftedWords = new int[ROOM_FIRST];
    private int wordsSifted;
    private long[] starts = new long[ROOM_FIRST];
    private int[] placesOfStarts = new int[ROOM_FIRST];
    private int[] siftedStarts = new int[ROOM_FIRST];
    private int startsSifted;

    // Beginnings that have been looked up in this text, by hash, and where they lead besides to filters.
    private long[] seen = new long[ROOM_FIRST];
    private int[][] targetsOfSeen = new int[ROOM_FIRST][];
    private int[] stampsOfSeen = new int[ROOM_FIRST];

    /** The hash of the text before each place, once something has needed it. */
    private long[] prefixes = new long[ROOM_FIRST];

    private int prefixesStamp;

    /** The powers of {@link #base}. */
    private long[] powers = {1};

    private long compared;
    private int stamp;

    /**
     * @param simplified whether traditional Chinese characters are taken for simplified ones
     * @param seed of hashes: that of the documents
     */
    Keywords(boolean simplified, long seed) {
        this.simplified = simplified;
        this.seed = seed;
        this.base = Long.reverse(seed) | 1;
        this.byPhrase = new Postings(seed);
        this.byWord = new Postings(seed);
        this.byStart = new Postings(seed);
        this.byPart = new Postings(seed);
    }

    void add(Phrase phrase, int filter) {
        if (isKnownByKey(phrase)) {
            addKey(phrase.anchor(), KINDS * filter + FILTER);
            return;
        }
        int number = number(phrase);
        if (number < 0) {
            Entry entry = new Entry(phrase);
            number = entries.add(entry);
            entry.number = number;
            byPhrase.add(phrase.hash(seed), 0, number);
            link(entry);
        }
        Entry entry = entries.get(number);
        entry.filters = Postings.with(entry.filters, filter);
    }

    void remove(Phrase phrase, int filter) {
        if (isKnownByKey(phrase)) {
            removeKey(phrase.anchor(), KINDS * filter + FILTER);
            return;
        }
        int number = number(phrase);
        Entry entry = entries.get(number);
        entry.filters = Postings.without(entry.filters, filter);
        if (entry.filters[0] == 0) {
            unlink(entry);
            byPhrase.remove(phrase.hash(seed), 0, number);
            entries.remove(number);
        }
    }

    /** The number of keywords compared with the text, or looked up at a place of it, so far: the cost of finding. */
    long compared() {
        return compared;
    }

    /** Whether a text that has the key has the phrase. */
    private static boolean isKnownByKey(Phrase phrase) {
        Term term = phrase.terms().get(0);
        boolean whole = !(term instanceof Term.Part part)
                || (part.text().codePoints().allMatch(TextNormalizer::isUnspaced)
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
            byWord.add(TokenSet.hash(term.text(), seed), TokenSet.check(term.text(), seed), target);
        }
    }

    private void removeKey(Term term, int target) {
        if (term instanceof Term.Part part) {
            long start = start(part.text(), part.core());
            byStart.remove(start, 0, target);
            if (isSingle(start) && byStart.get(start, 0)[0] == 0) {
                singles.clear((int) start);
            }
        } else {
            byWord.remove(TokenSet.hash(term.text(), seed), TokenSet.check(term.text(), seed), target);
        }
    }

    /** The number of the phrase's entry; -1 when it has none. */
    private int number(Phrase phrase) {
        int[] alike = byPhrase.get(phrase.hash(seed), 0);
        for (int i = 1; i <= alike[0]; i++) {
            if (entries.get(alike[i]).phrase.equals(phrase)) {
                return alike[i];
            }
        }
        return -1;
    }

    /** Enters it as the second of its anchor's list, or as the first. */
    private void link(Entry entry) {
        Entry first = first(entry);
        if (first == null) {
            enter(entry);
        } else {
            int known = shapesOf(entry.anchor);
            if (known >= 0) {
                shapes.get(known).add(shape(entry));
            }
            first.mixed |= !first.anchor.equals(entry.anchor);
            entry.previous = first;
            entry.next = first.next;
            first.next = entry;
            if (entry.next != null) {
                entry.next.previous = entry;
            }
        }
    }

    private void unlink(Entry entry) {
        Entry next = entry.next;
        if (next != null) {
            next.previous = entry.previous;
        }
        if (entry.previous != null) {
            entry.previous.next = next;
        } else {
            if (next != null) {
                next.mixed = entry.mixed;
            }
            replaceFirst(entry, next);
        }
        int known = shapesOf(entry.anchor);
        if (known >= 0 && shapes.get(known).remove(shape(entry))) {
            removeKey(entry.anchor, KINDS * known + SHAPES);
            shapes.remove(known);
        }
    }

    /** The first entry of the list that is to hold this one; null = none so far. */
    private Entry first(Entry entry) {
        if (!(entry.anchor instanceof Term.Part part)) {
            return entryAmong(byWord.get(hash(entry.anchor), TokenSet.check(entry.anchor.text(), seed)), entry.anchor);
        }
        if (shapesOf(part) < 0) {
            return entryAmong(byStart.get(start(part.text(), part.core()), 0), part);
        }
        int number = byPart.only(polynomial(part.text()));
        return number < 0 ? null : entries.get(number);
    }

    private Entry entryAmong(int[] targets, Term anchor) {
        for (int i = 1; i <= targets[0]; i++) {
            int target = targets[i];
            if (target % KINDS == ENTRY && entries.get(target / KINDS).anchor.equals(anchor)) {
                return entries.get(target / KINDS);
            }
        }
        return null;
    }

    /** The number of the shapes of what begins as the anchor does; -1 = they are not needed. */
    private int shapesOf(Term anchor) {
        if (anchor instanceof Term.Part part) {
            int[] targets = byStart.get(start(part.text(), part.core()), 0);
            for (int i = 1; i <= targets[0]; i++) {
                if (targets[i] % KINDS == SHAPES) {
                    return targets[i] / KINDS;
                }
            }
        }
        return -1;
    }

    /** The entry becomes the first of a list. */
    private void enter(Entry entry) {
        int known = shapesOf(entry.anchor);
        if (known >= 0) {
            shapes.get(known).add(shape(entry));
            byPart.add(polynomial(entry.anchor.text()), 0, entry.number);
            return;
        }
        addKey(entry.anchor, KINDS * entry.number + ENTRY);
        if (entry.anchor instanceof Term.Part part) {
            int[] firsts = Postings.stream(byStart.get(start(part.text(), part.core()), 0))
                    .filter(target -> target % KINDS == ENTRY)
                    .toArray();
            if (firsts.length > COMPARED_MAX) {
                enterByHash(part, firsts);
            }
        }
    }

    /** From now on keywords with this beginning are looked up by hash. */
    private void enterByHash(Term.Part beginning, int[] firsts) {
        Shapes known = new Shapes();
        addKey(beginning, KINDS * shapes.add(known) + SHAPES);
        for (int target : firsts) {
            removeKey(beginning, target);
            Entry first = entries.get(target / KINDS);
            byPart.add(polynomial(first.anchor.text()), 0, first.number);
            for (Entry entry = first; entry != null; entry = entry.next) {
                known.add(shape(entry));
            }
        }
    }

    /** @param next null = the list ends with its first entry */
    private void replaceFirst(Entry first, Entry next) {
        if (shapesOf(first.anchor) >= 0) {
            long hash = polynomial(first.anchor.text());
            byPart.remove(hash, 0, first.number);
            if (next != null) {
                byPart.add(hash, 0, next.number);
            }
            return;
        }
        if (next != null) {
            addKey(next.anchor, KINDS * next.number + ENTRY);
        }
        removeKey(first.anchor, KINDS * first.number + ENTRY);
    }

    private static int shape(Entry entry) {
        return entry.core << Character.SIZE | entry.anchor.text().length();
    }

    private long hash(Term word) {
        return TokenSet.hash(word.text(), seed);
    }

    /**
     * The first half of {@link #find}: leaves out what is certainly looked for by nobody. Nobody pays for a folding
     * that no filter asks for.
     */
    void sift(MatchDocument doc) {
        wordsSifted = 0;
        startsSifted = 0;
        if (!byWord.isEmpty()) {
            TokenSet tokens = doc.all(simplified).words();
            siftedWords = roomy(siftedWords, tokens.size());
            wordsSifted = byWord.sift(tokens.hashes(), tokens.size(), siftedWords);
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

    private void findWords(TokenizedText all, TokenizedText own, Found found) {
        TokenSet tokens = all.words();
        compared += wordsSifted;
        for (int i = 0; i < wordsSifted; i++) {
            int word = siftedWords[i];
            int[] targets = byWord.get(tokens.hash(word), tokens.check(word));
            for (int j = 1; j <= targets[0]; j++) {
                int target = targets[j];
                boolean inOwn = all == own || own.words().has(tokens, word);
                if (target % KINDS == FILTER) {
                    found.filter(target / KINDS, inOwn);
                } else {
                    verifyAll(entries.get(target / KINDS), inOwn, all, own, found);
                }
            }
        }
    }

    private void findParts(TokenizedText all, TokenizedText own, Found found) {
        boolean once = startsSifted > REPEATED_MAX;
        if (once) {
            makeRoomForSeen();
        }
        for (int i = 0; i < startsSifted; i++) {
            int start = siftedStarts[i];
            int at = placesOfStarts[start];
            // The author's own words come first.
            boolean inOwn = at < own.folded().length();
            int[] targets = once ? lookUpOnce(starts[start], inOwn, found) : lookUp(starts[start], inOwn, found);
            for (int j = 1; j <= targets[0]; j++) {
                int target = targets[j];
                if (target % KINDS == ENTRY) {
                    compared++;
                    compare(entries.get(target / KINDS), at, all, own, found);
                } else if (target % KINDS == SHAPES) {
                    ask(shapes.get(target / KINDS), at, all, own, found);
                }
            }
        }
    }

    /** Names the filters of which the beginning is all, and answers where it leads. */
    private int[] lookUp(long start, boolean inOwn, Found found) {
        int[] targets = byStart.get(start, 0);
        for (int i = 1; i <= targets[0]; i++) {
            if (targets[i] % KINDS == FILTER) {
                found.filter(targets[i] / KINDS, inOwn);
            }
        }
        return targets;
    }

    /** The same, naming the filters once in a text: they may be many, and so may the places. */
    private int[] lookUpOnce(long start, boolean inOwn, Found found) {
        int mask = seen.length - 1;
        int place = (int) ((start * base) >>> 32) & mask;
        while (stampsOfSeen[place] == stamp && seen[place] != start) {
            place = (place + 1) & mask;
        }
        if (stampsOfSeen[place] != stamp) {
            stampsOfSeen[place] = stamp;
            seen[place] = start;
            int[] targets = lookUp(start, inOwn, found);
            int[] others = Postings.none();
            for (int i = 1; i <= targets[0]; i++) {
                others = targets[i] % KINDS == FILTER ? others : Postings.with(others, targets[i]);
            }
            targetsOfSeen[place] = others;
        }
        return targetsOfSeen[place];
    }

    private void makeRoomForSeen() {
        if (seen.length < 2 * startsSifted) {
            int room = Integer.highestOneBit(2 * startsSifted) << 1;
            seen = new long[room];
            targetsOfSeen = new int[room][];
            stampsOfSeen = new int[room];
        }
    }

    /** Asks for each shape at a place of the text. */
    private void ask(Shapes known, int at, TokenizedText all, TokenizedText own, Found found) {
        String text = all.folded();
        hashPrefixes(text);
        int before = spacedBefore(text, at);
        for (int shape : known.shapes) {
            int from = at - (shape >>> Character.SIZE);
            int length = shape & Character.MAX_VALUE;
            if (at - from > before) {
                return;
            }
            compared++;
            int number = from + length > text.length()
                    ? -1
                    : byPart.only(prefixes[from + length] - prefixes[from] * powers[length]);
            if (number >= 0) {
                compare(entries.get(number), at, all, own, found);
            }
        }
    }

    /**
     * How many characters stand before a place since the last one of a script without spaces: no more of a keyword can.
     */
    private static int spacedBefore(String text, int at) {
        int end = at;
        while (end > 0 && !TextNormalizer.isUnspaced(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return at - end;
    }

    /** Compares the entries at a place. A later place of an anchor in the same text does not count. */
    private void compare(Entry first, int at, TokenizedText all, TokenizedText own, Found found) {
        if (first.stamp == stamp) {
            return;
        }
        int from = at - first.core;
        if (first.mixed) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                if (standsAt(entry.anchor, from, all)) {
                    verify(entry, from < own.folded().length(), all, own, found);
                }
            }
        } else if (standsAt(first.anchor, from, all)) {
            first.stamp = stamp;
            // The first place counts, and the author's own words come first.
            verifyAll(first, from < own.folded().length(), all, own, found);
        }
    }

    private static boolean standsAt(Term anchor, int from, TokenizedText all) {
        return all.folded().startsWith(anchor.text(), from) && ((Term.Part) anchor).isWhole(all.folded(), from);
    }

    /** Notes how keywords may begin in a text of scripts without spaces; answers how many ways there are. */
    private int noteStarts(String text) {
        int size = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (TextNormalizer.isUnspaced(c)) {
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

    private void verifyAll(Entry first, boolean anchorInOwn, TokenizedText all, TokenizedText own, Found found) {
        for (Entry entry = first; entry != null; entry = entry.next) {
            verify(entry, anchorInOwn, all, own, found);
        }
    }

    /**
     * The text has the anchor. Whatever a filter looks at, its words are among all words of the status; which ones is
     * checked when those have the phrase.
     */
    private void verify(Entry entry, boolean anchorInOwn, TokenizedText all, TokenizedText own, Found found) {
        if (matches(entry.others, all)) {
            boolean inOwn = anchorInOwn && (all == own || matches(entry.others, own));
            for (int i = 1; i <= entry.filters[0]; i++) {
                found.filter(entry.filters[i], inOwn);
            }
        }
    }

    private boolean matches(List<Term> terms, TokenizedText forms) {
        for (Term term : terms) {
            compared++;
            if (!term.matches(forms)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSingle(long start) {
        return start <= Character.MAX_CODE_POINT;
    }

    /**
     * The character and the next as one number, 21 bits each as Unicode needs; the character alone when it is the last.
     */
    private static long start(String text, int at) {
        int first = text.codePointAt(at);
        int next = at + Character.charCount(first);
        return next < text.length() ? (long) text.codePointAt(next) << 21 | first : first;
    }

    /** Computes the hashes of the text up to each place, once for each text. */
    private void hashPrefixes(String text) {
        if (prefixesStamp == stamp) {
            return;
        }
        prefixesStamp = stamp;
        if (prefixes.length <= text.length()) {
            prefixes = new long[2 * text.length()];
        }
        for (int i = 0; i < text.length(); i++) {
            prefixes[i + 1] = prefixes[i] * base + text.charAt(i);
        }
    }

    private long polynomial(String part) {
        while (powers.length <= part.length()) {
            powers = Arrays.copyOf(powers, powers.length + 1);
            powers[powers.length - 1] = powers[powers.length - 2] * base;
        }
        long hash = 0;
        for (int i = 0; i < part.length(); i++) {
            hash = hash * base + part.charAt(i);
        }
        return hash;
    }
}
