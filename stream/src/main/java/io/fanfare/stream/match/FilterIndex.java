package io.fanfare.stream.match;

import io.fanfare.common.model.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the filters that a status matches without asking each: the filters are indexed by what they look for, and the
 * status is looked up. Equal filters are one entry. A keyword leads to its filters as an account does; a phrase of
 * several is found by one of them ({@link Keywords}); a box by the cells of a grid that it covers. Adding and removing
 * changes only the lists of what the filter looks for. Confined to one event loop.
 *
 * @param <S> the listener
 */
public final class FilterIndex<S> {
    private static final int TRACK = 1;
    private static final int FOLLOW = 2;
    private static final int PLACE = 4;

    /**
     * Filters of one meaning, and who has them. What most matches are decided by is kept here: the rest of the spec
     * lies far away in memory.
     */
    private static final class Node<S> {
        final FilterSpec spec;
        final boolean limited;
        final boolean vetoes;
        final boolean includesOriginals;

        /** Kinds that must all be found; 0 = any is enough. */
        final int needed;

        final List<S> listeners = new ArrayList<>(1);
        int number;
        int stamp;
        int found;

        /** The status that has one of its excluded phrases. */
        int vetoed;

        Node(FilterSpec spec) {
            this.spec = spec;
            this.limited = spec.isLimited();
            this.vetoes = !spec.exclude().isEmpty();
            this.includesOriginals = spec.reposts() == FilterSpec.Reposts.INCLUDE;
            this.needed = spec.all() ? kinds(spec) : 0;
        }

        private static int kinds(FilterSpec spec) {
            return (spec.track().isEmpty() ? 0 : TRACK)
                    | (spec.follow().isEmpty() ? 0 : FOLLOW)
                    | (spec.locations().isEmpty() ? 0 : PLACE);
        }

        boolean foundAll() {
            return (found & needed) == needed;
        }

        boolean matches(MatchDocument doc) {
            return foundAll() && vetoed != stamp && (!limited || spec.allowsBesidesWords(doc));
        }
    }

    /** A filter with a hash that nobody can foresee. */
    private record Key(FilterSpec spec, long hash) {
        @Override
        public int hashCode() {
            return Long.hashCode(hash);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && hash == key.hash && spec.equals(key.spec);
        }
    }

    private final long seed;
    private final Map<Key, Node<S>> nodes = new HashMap<>();
    private final Slab<Node<S>> byNumber = new Slab<>();
    private final Keywords plain;
    private final Keywords simplified;
    private final Keywords plainVetoes;
    private final Keywords simplifiedVetoes;
    private final Postings byAccount;
    private final Postings byMention;
    private final Grid<Node<S>> byPlace;

    private final List<Node<S>> candidates = new ArrayList<>();

    /** Accounts that a status has something to do with, and which of them somebody may follow. */
    private final long[] involved = new long[4];

    private final int[] sifted = new int[involved.length];
    private int stamp;

    /** Whether a candidate excludes phrases. */
    private boolean mayVeto;

    /** @param seed of hashes, drawn by chance: that of the documents which are matched */
    public FilterIndex(long seed) {
        this.seed = seed;
        this.plain = new Keywords(false, seed);
        this.simplified = new Keywords(true, seed);
        this.plainVetoes = new Keywords(false, seed);
        this.simplifiedVetoes = new Keywords(true, seed);
        this.byAccount = new Postings(seed);
        this.byMention = new Postings(seed);
        this.byPlace = new Grid<>(seed);
    }

    /**
     * The listener gets matching statuses from now on. It may have several filters; then it is called once for each
     * that matches.
     */
    public void add(FilterSpec spec, S listener) {
        Key key = key(spec);
        Node<S> node = nodes.get(key);
        if (node == null) {
            node = new Node<>(spec);
            node.number = byNumber.add(node);
            nodes.put(key, node);
            install(node);
        }
        node.listeners.add(listener);
    }

    /** Undoes one {@link #add}; does nothing when there was none. */
    public void remove(FilterSpec spec, S listener) {
        Key key = key(spec);
        Node<S> node = nodes.get(key);
        if (node != null && node.listeners.remove(listener) && node.listeners.isEmpty()) {
            nodes.remove(key);
            uninstall(node);
            byNumber.remove(node.number);
        }
    }

    private Key key(FilterSpec spec) {
        return new Key(spec, spec.hash(seed));
    }

    /** Different filters that are installed. */
    public int size() {
        return nodes.size();
    }

    private void install(Node<S> node) {
        for (Phrase phrase : node.spec.track()) {
            keywords(phrase).add(phrase, node.number);
        }
        for (Phrase phrase : node.spec.exclude()) {
            vetoes(phrase).add(phrase, node.number);
        }
        for (long account : node.spec.follow()) {
            byAccount.add(account, 0, node.number);
            if (node.spec.mentions()) {
                byMention.add(account, 0, node.number);
            }
        }
        node.spec.locations().forEach(box -> byPlace.add(box, node));
    }

    private void uninstall(Node<S> node) {
        for (Phrase phrase : node.spec.track()) {
            keywords(phrase).remove(phrase, node.number);
        }
        for (Phrase phrase : node.spec.exclude()) {
            vetoes(phrase).remove(phrase, node.number);
        }
        for (long account : node.spec.follow()) {
            byAccount.remove(account, 0, node.number);
            if (node.spec.mentions()) {
                byMention.remove(account, 0, node.number);
            }
        }
        node.spec.locations().forEach(box -> byPlace.remove(box, node));
    }

    private Keywords keywords(Phrase phrase) {
        return phrase.simplified() ? simplified : plain;
    }

    private Keywords vetoes(Phrase phrase) {
        return phrase.simplified() ? simplifiedVetoes : plainVetoes;
    }

    /**
     * The number of comparisons so far: lookups of a word, a place or a keyword, none of which takes longer for a
     * longer text.
     */
    long compared() {
        return plain.compared() + simplified.compared() + plainVetoes.compared() + simplifiedVetoes.compared();
    }

    /** Calls every listener of every filter that the status matches, each listener of a filter once. */
    public void match(MatchDocument doc, Consumer<S> listener) {
        find(doc);
        if (mayVeto) {
            findVetoes(doc);
        }
        for (Node<S> node : candidates) {
            if (node.matches(doc)) {
                node.listeners.forEach(listener);
            }
        }
        candidates.clear();
    }

    /** Calls every listener of a filter that matches a follow between the two, or its end. */
    public void matchEdge(long account, long other, Consumer<S> listener) {
        stamp++;
        accounts(byAccount, account);
        accounts(byAccount, other);
        for (Node<S> node : candidates) {
            if (node.foundAll()) {
                node.listeners.forEach(listener);
            }
        }
        candidates.clear();
    }

    /**
     * Collects the filters that look for anything the status has. Everything is sifted before anything is looked up:
     * the first waits for memory overlap, the others do not.
     */
    private void find(MatchDocument doc) {
        stamp++;
        mayVeto = false;
        plain.sift(doc);
        simplified.sift(doc);
        involved[0] = doc.authorId();
        involved[1] = doc.repliedTo();
        involved[2] = doc.addressedTo();
        involved[3] = doc.originalAuthorId();
        int known = byAccount.sift(involved, involved.length, sifted);
        plain.find(doc, this::track);
        simplified.find(doc, this::track);
        for (int i = 0; i < known; i++) {
            accounts(byAccount, involved[sifted[i]]);
        }
        doc.mentions().forEach(account -> accounts(byMention, account));
        Place place = doc.place();
        if (place != null && !doc.repost()) {
            byPlace.at(place.longitude(), place.latitude(), node -> hit(node, PLACE));
        }
    }

    /** Finds excluded phrases by an index as well, so that the cost does not grow with their number. */
    private void findVetoes(MatchDocument doc) {
        plainVetoes.sift(doc);
        simplifiedVetoes.sift(doc);
        plainVetoes.find(doc, this::veto);
        simplifiedVetoes.find(doc, this::veto);
    }

    private void veto(int number, boolean inOwn) {
        Node<S> node = byNumber.get(number);
        if (inOwn || node.includesOriginals) {
            node.vetoed = stamp;
        }
    }

    private void track(int number, boolean inOwn) {
        Node<S> node = byNumber.get(number);
        if (inOwn || node.includesOriginals) {
            hit(node, TRACK);
        }
    }

    private void accounts(Postings index, long account) {
        if (account != 0) {
            int[] followers = index.get(account, 0);
            for (int i = 1; i <= followers[0]; i++) {
                hit(byNumber.get(followers[i]), FOLLOW);
            }
        }
    }

    private void hit(Node<S> node, int kind) {
        if (node.stamp != stamp) {
            node.stamp = stamp;
            node.found = 0;
            mayVeto |= node.vetoes;
            candidates.add(node);
        }
        node.found |= kind;
    }
}
