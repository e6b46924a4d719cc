package io.fanfare.stream.match;

import io.fanfare.common.model.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the filters that a status matches without asking each: the filters are indexed by what they look for, and the status is looked up. Equal filters are one entry. A keyword leads to
 * its filters as an account does; a phrase of several is found by one of them ({@link Keywords}); a box by the cells of a grid that it covers. Adding and removing changes only the
 * lists of what the filter looks for. Confined to one event loop.
 *
 * @param <S> who listens
 */
public final class FilterIndex<S> {
    private static final int TRACK = 1;
    private static final int FOLLOW = 2;
    private static final int PLACE = 4;

    /** Filters of one meaning, and who has them. What most matches are decided by is kept here: the rest of the spec lies far away in memory. */
    private static final class Node<S> {
        final FilterSpec spec;
        final boolean limited;
        final boolean includesOriginals;

        /** Kinds that must all be found; 0 = any is enough. */
        final int needed;

        final List<S> listeners = new ArrayList<>(1);
        int number;
        int stamp;
        int found;

        Node(FilterSpec spec) {
            this.spec = spec;
            this.limited = spec.isLimited();
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
            return foundAll() && (!limited || spec.allows(doc));
        }
    }

    private final Map<FilterSpec, Node<S>> nodes = new HashMap<>();
    private final Numbered<Node<S>> byNumber = new Numbered<>();
    private final Keywords plain = new Keywords(false);
    private final Keywords simplified = new Keywords(true);
    private final Postings byAccount = new Postings();
    private final Postings byMention = new Postings();
    private final Grid<Node<S>> byPlace = new Grid<>();

    private final List<Node<S>> candidates = new ArrayList<>();

    /** Accounts that a status has something to do with, and which of them somebody may follow. */
    private final long[] involved = new long[4];

    private final int[] sifted = new int[involved.length];
    private int stamp;

    /** The listener gets what matches from now on. It may have several filters; then it hears of a match once for each. */
    public void add(FilterSpec spec, S listener) {
        Node<S> node = nodes.get(spec);
        if (node == null) {
            node = new Node<>(spec);
            node.number = byNumber.add(node);
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
            byNumber.remove(node.number);
        }
    }

    /** Different filters that are installed. */
    public int size() {
        return nodes.size();
    }

    private void install(Node<S> node) {
        for (Phrase phrase : node.spec.track()) {
            keywords(phrase).add(phrase, node.number);
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

    /** Tells every listener of every filter that the status matches, each listener of a filter once. */
    public void match(MatchDocument doc, Consumer<S> listener) {
        find(doc);
        for (Node<S> node : candidates) {
            if (node.matches(doc)) {
                node.listeners.forEach(listener);
            }
        }
        candidates.clear();
    }

    /** Tells every listener of a filter that matches a follow between the two, or its end. */
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

    /** Collects the filters that look for anything the status has. Everything is sifted before anything is looked up: the first waits for memory overlap, the others do not. */
    private void find(MatchDocument doc) {
        stamp++;
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

    private void track(int number, boolean inOwn) {
        Node<S> node = byNumber.get(number);
        if (inOwn || node.includesOriginals) {
            hit(node, TRACK);
        }
    }

    private void accounts(Postings index, long account) {
        if (account != 0) {
            for (int number : index.get(account, 0)) {
                hit(byNumber.get(number), FOLLOW);
            }
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
}
