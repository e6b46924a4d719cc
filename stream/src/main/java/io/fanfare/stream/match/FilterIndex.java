package io.fanfare.stream.match;

import io.fanfare.common.model.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the filters that a status matches without asking each: the filters are indexed by what they look for, and the status is looked up. Equal filters are one entry, a phrase that
 * many filters have is verified once. A phrase is found by its longest term ({@link Phrase#anchor}), and the others are verified then; a term of a script without spaces by its first
 * two characters; a box by the cells of a grid that it covers. Adding and removing changes only the lists of what the filter looks for. Confined to one event loop.
 *
 * @param <S> who listens
 */
public final class FilterIndex<S> {
    private static final int TRACK = 1;
    private static final int FOLLOW = 2;
    private static final int PLACE = 4;

    /** Filters of one meaning, and who has them. */
    private static final class Node<S> {
        final FilterSpec spec;
        final List<S> listeners = new ArrayList<>(1);
        int stamp;
        int found;

        Node(FilterSpec spec) {
            this.spec = spec;
        }
    }

    /** A phrase, and the filters that have it. */
    private static final class Entry<S> {
        final Phrase phrase;
        final List<Node<S>> nodes = new ArrayList<>(1);
        int stamp;

        Entry(Phrase phrase) {
            this.phrase = phrase;
        }
    }

    private final Map<FilterSpec, Node<S>> nodes = new HashMap<>();
    private final Map<Phrase, Entry<S>> phrases = new HashMap<>();
    private final Keywords plain = new Keywords(false);
    private final Keywords simplified = new Keywords(true);
    private final Map<Long, List<Node<S>>> byAccount = new HashMap<>();
    private final Map<Long, List<Node<S>>> byMention = new HashMap<>();
    private final Grid<Node<S>> byPlace = new Grid<>();

    private final List<Node<S>> candidates = new ArrayList<>();
    private int stamp;

    /** The listener gets what matches from now on. It may have several filters; then it hears of a match once for each. */
    public void add(FilterSpec spec, S listener) {
        Node<S> node = nodes.get(spec);
        if (node == null) {
            node = new Node<>(spec);
            nodes.put(spec, node);
            install(node);
        }
        node.listeners.add(listener);
    }

    /** Undoes one {@link #add}; does nothing when there was none. */
    public void remove(FilterSpec spec, S listener) {
        Node<S> node = nodes.get(spec);
        if (node != null && node.listeners.remove(listener) && node.listeners.isEmpty()) {
            nodes.remove(spec);
            uninstall(node);
        }
    }

    /** Different filters that are installed. */
    public int size() {
        return nodes.size();
    }

    private void install(Node<S> node) {
        for (Phrase phrase : node.spec.track()) {
            phrases.computeIfAbsent(phrase, this::installPhrase).nodes.add(node);
        }
        for (long account : node.spec.follow()) {
            list(byAccount, account).add(node);
            if (node.spec.mentions()) {
                list(byMention, account).add(node);
            }
        }
        node.spec.locations().forEach(box -> byPlace.add(box, node));
    }

    private void uninstall(Node<S> node) {
        for (Phrase phrase : node.spec.track()) {
            Entry<S> entry = phrases.get(phrase);
            entry.nodes.remove(node);
            if (entry.nodes.isEmpty()) {
                phrases.remove(phrase);
                uninstallPhrase(entry);
            }
        }
        for (long account : node.spec.follow()) {
            drop(byAccount, account, node);
            if (node.spec.mentions()) {
                drop(byMention, account, node);
            }
        }
        node.spec.locations().forEach(box -> byPlace.remove(box, node));
    }

    private Entry<S> installPhrase(Phrase phrase) {
        Entry<S> entry = new Entry<>(phrase);
        keywords(phrase).add(entry);
        return entry;
    }

    private void uninstallPhrase(Entry<S> entry) {
        keywords(entry.phrase).remove(entry);
    }

    private Keywords keywords(Phrase phrase) {
        return phrase.simplified() ? simplified : plain;
    }

    /** Tells every listener of every filter that the status matches, each listener of a filter once. */
    public void match(MatchDocument doc, Consumer<S> listener) {
        find(doc);
        for (Node<S> node : candidates) {
            if (isMatch(node, doc)) {
                node.listeners.forEach(listener);
            }
        }
        candidates.clear();
    }

    /** Tells every listener of a filter that follows either side of a follow or its end. */
    public void matchEdge(long account, long other, Consumer<S> listener) {
        stamp++;
        accounts(byAccount, account);
        accounts(byAccount, other);
        candidates.forEach(node -> node.listeners.forEach(listener));
        candidates.clear();
    }

    /** Collects the filters that look for anything the status has. */
    private void find(MatchDocument doc) {
        stamp++;
        plain.find(doc);
        simplified.find(doc);
        if (!byAccount.isEmpty()) {
            accounts(byAccount, doc.authorId());
            accounts(byAccount, doc.repliedTo());
            accounts(byAccount, doc.addressedTo());
            accounts(byAccount, doc.originalAuthorId());
            doc.mentions().forEach(account -> accounts(byMention, account));
        }
        Place place = doc.place();
        if (place != null && !doc.repost()) {
            byPlace.at(place.longitude(), place.latitude(), node -> hit(node, PLACE));
        }
    }

    /** Phrases that are folded alike, by what they are found by. */
    private final class Keywords {
        private final boolean folded;
        private final Map<String, List<Entry<S>>> byToken = new HashMap<>();
        private final Map<Long, List<Entry<S>>> byStart = new HashMap<>();

        /** Beginnings that {@link #byStart} may hold: most places of a text need no look-up. */
        private CountingSieve starts = new CountingSieve(CountingSieve.CELLS_MIN);

        /** @param folded whether traditional Chinese characters are taken for simplified ones */
        Keywords(boolean folded) {
            this.folded = folded;
        }

        void add(Entry<S> entry) {
            Term anchor = entry.phrase.anchor();
            if (anchor instanceof Term.Part) {
                long start = start(anchor.text(), 0);
                list(byStart, start).add(entry);
                starts.add(start);
                if (starts.isCrowded(byStart.size())) {
                    starts = starts.roomier(byStart);
                }
            } else {
                list(byToken, anchor.text()).add(entry);
            }
        }

        void remove(Entry<S> entry) {
            Term anchor = entry.phrase.anchor();
            if (anchor instanceof Term.Part) {
                long start = start(anchor.text(), 0);
                drop(byStart, start, entry);
                starts.remove(start);
            } else {
                drop(byToken, anchor.text(), entry);
            }
        }

        /** Nobody pays for a folding that no filter asks for. */
        void find(MatchDocument doc) {
            if (!byToken.isEmpty()) {
                findTokens(doc);
            }
            if (!byStart.isEmpty()) {
                findParts(doc);
            }
        }

        private void findTokens(MatchDocument doc) {
            Set<String> tokens = doc.all(folded).tokens();
            for (String token : tokens) {
                byToken.getOrDefault(token, List.of()).forEach(entry -> verify(entry, doc));
            }
        }

        private void findParts(MatchDocument doc) {
            String text = doc.all(folded).folded();
            int i = 0;
            while (i < text.length()) {
                int c = text.codePointAt(i);
                lookUp(start(text, i), doc);
                // A term of a single character has a beginning of its own.
                lookUp(c, doc);
                i += Character.charCount(c);
            }
        }

        private void lookUp(long start, MatchDocument doc) {
            if (starts.mayHold(start)) {
                byStart.getOrDefault(start, List.of()).forEach(entry -> verify(entry, doc));
            }
        }
    }

    /** Whatever the filter looks at, its words are among all words of the status; which they are is asked when it is known to be a candidate. */
    private void verify(Entry<S> entry, MatchDocument doc) {
        if (entry.stamp == stamp) {
            return;
        }
        entry.stamp = stamp;
        boolean folded = entry.phrase.simplified();
        boolean inAll = entry.phrase.matches(doc.all(folded));
        if (!inAll) {
            return;
        }
        boolean inOwn = doc.all(folded) == doc.own(folded) || entry.phrase.matches(doc.own(folded));
        for (Node<S> node : entry.nodes) {
            if (inOwn || node.spec.reposts() == FilterSpec.Reposts.INCLUDE) {
                hit(node, TRACK);
            }
        }
    }

    private void accounts(Map<Long, List<Node<S>>> index, long account) {
        if (account != 0) {
            index.getOrDefault(account, List.of()).forEach(node -> hit(node, FOLLOW));
        }
    }

    private void hit(Node<S> node, int kind) {
        if (node.stamp != stamp) {
            node.stamp = stamp;
            node.found = 0;
            candidates.add(node);
        }
        node.found |= kind;
    }

    private static <S> boolean isMatch(Node<S> node, MatchDocument doc) {
        FilterSpec spec = node.spec;
        int needed = (spec.track().isEmpty() ? 0 : TRACK)
                | (spec.follow().isEmpty() ? 0 : FOLLOW)
                | (spec.locations().isEmpty() ? 0 : PLACE);
        return (!spec.all() || node.found == needed) && spec.allows(doc);
    }

    /** The first two characters as one number, 21 bits each as Unicode needs, or the only one. */
    private static long start(String text, int at) {
        int first = text.codePointAt(at);
        int next = at + Character.charCount(first);
        return next < text.length() ? (long) text.codePointAt(next) << 21 | first : first;
    }

    private static <K, V> List<V> list(Map<K, List<V>> index, K key) {
        return index.computeIfAbsent(key, absent -> new ArrayList<>(1));
    }

    private static <K, V> void drop(Map<K, List<V>> index, K key, V value) {
        List<V> values = index.get(key);
        values.remove(value);
        if (values.isEmpty()) {
            index.remove(key);
        }
    }

    /** A counting Bloom filter of one hash: says no for most of what was never added. */
    private static final class CountingSieve {
        static final int CELLS_MIN = 1 << 14;
        private static final int CELLS_MAX = 1 << 22;

        /** With so many cells for each value one in eight of the others passes. */
        private static final int CELLS_PER_VALUE = 8;

        private final int[] counts;
        private final int shift;

        /** @param cells a power of two */
        CountingSieve(int cells) {
            counts = new int[cells];
            shift = Long.numberOfLeadingZeros(cells) + 1;
        }

        boolean isCrowded(int values) {
            return counts.length < CELLS_MAX && (long) values * CELLS_PER_VALUE > counts.length;
        }

        /** One with four times the cells, which holds these, each as often as its list is long. */
        <V> CountingSieve roomier(Map<Long, List<V>> values) {
            CountingSieve roomier = new CountingSieve(counts.length * 4);
            values.forEach((value, times) -> roomier.counts[roomier.cell(value)] += times.size());
            return roomier;
        }

        void add(long value) {
            counts[cell(value)]++;
        }

        void remove(long value) {
            counts[cell(value)]--;
        }

        boolean mayHold(long value) {
            return counts[cell(value)] > 0;
        }

        private int cell(long value) {
            return (int) ((value * 0x9E3779B97F4A7C15L) >>> shift);
        }
    }
}
