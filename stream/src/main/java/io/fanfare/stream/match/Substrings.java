package io.fanfare.stream.match;

import java.util.Arrays;

/**
 * Whether keywords occur in a long text, each in time that goes with the keyword and not with the text: a suffix
 * automaton (Blumer and others, The smallest automaton recognizing the subwords of a text, 1985), which takes time and
 * memory in proportion to the text. Around each word of a spaced script stands a mark, in texts and keywords alike, so
 * that only whole words of those are found. Immutable.
 */
final class Substrings {
    /**
     * Around words of spaced scripts: first halves of surrogate pairs, which stand before second halves in every text.
     * No letter has the second of the two.
     */
    private static final char BEGINS = '\uD800';

    private static final char ENDS = '\uDBFF';

    private static final int ROOT = 0;
    private static final int NONE = -1;

    private final long multiplier;

    // States: length of their longest string, suffix link, first of their edges.
    private int[] lengths;
    private int[] links;
    private int[] firstEdges;
    private int states;

    // Edges, and where they are found by state and character: open addressing, number plus one, 0 = free.
    private int[] edgesFrom;
    private char[] edgesBy;
    private int[] edgesTo;
    private int[] nextEdges;
    private int edges;
    private int[] places;

    private int last;

    /** @param seed so that nobody can make texts whose edges are found at one place */
    Substrings(String folded, long seed) {
        multiplier = seed | 1;
        String text = marked(folded);
        int most = 2 * text.length() + 2;
        lengths = new int[most];
        links = new int[most];
        firstEdges = new int[most];
        edgesFrom = new int[most];
        edgesBy = new char[most];
        edgesTo = new int[most];
        nextEdges = new int[most];
        places = new int[Integer.highestOneBit(4 * text.length() + 4) << 1];
        last = state(0, NONE);
        for (int i = 0; i < text.length(); i++) {
            append(text.charAt(i));
        }
        // Few texts need all that might be needed.
        edgesFrom = Arrays.copyOf(edgesFrom, edges);
        edgesBy = Arrays.copyOf(edgesBy, edges);
        edgesTo = Arrays.copyOf(edgesTo, edges);
        lengths = null;
        links = null;
        firstEdges = null;
        nextEdges = null;
    }

    /** Whether a {@link Term.Part} with this text occurs. */
    boolean has(String part) {
        int state = ROOT;
        String sought = marked(part);
        for (int i = 0; i < sought.length(); i++) {
            int edge = edge(state, sought.charAt(i));
            if (edge == NONE) {
                return false;
            }
            state = edgesTo[edge];
        }
        return true;
    }

    private static String marked(String folded) {
        StringBuilder marked = new StringBuilder(folded.length() + folded.length() / 2 + 2);
        boolean inWord = false;
        for (int i = 0; i < folded.length(); ) {
            int c = folded.codePointAt(i);
            if (Term.Part.isSpaced(c) != inWord) {
                marked.append(inWord ? ENDS : BEGINS);
                inWord = !inWord;
            }
            marked.appendCodePoint(c);
            i += Character.charCount(c);
        }
        return inWord ? marked.append(ENDS).toString() : marked.toString();
    }

    private void append(char c) {
        int fresh = state(lengths[last] + 1, ROOT);
        int p = last;
        last = fresh;
        while (p != NONE && edge(p, c) == NONE) {
            connect(p, c, fresh);
            p = links[p];
        }
        if (p == NONE) {
            return;
        }
        int q = edgesTo[edge(p, c)];
        if (lengths[q] == lengths[p] + 1) {
            links[fresh] = q;
            return;
        }
        int copy = state(lengths[p] + 1, links[q]);
        for (int e = firstEdges[q]; e != NONE; e = nextEdges[e]) {
            connect(copy, edgesBy[e], edgesTo[e]);
        }
        while (p != NONE && edge(p, c) != NONE && edgesTo[edge(p, c)] == q) {
            edgesTo[edge(p, c)] = copy;
            p = links[p];
        }
        links[q] = copy;
        links[fresh] = copy;
    }

    private int state(int length, int link) {
        lengths[states] = length;
        links[states] = link;
        firstEdges[states] = NONE;
        return states++;
    }

    private void connect(int from, char by, int to) {
        if (edges == edgesTo.length) {
            edgesFrom = Arrays.copyOf(edgesFrom, 2 * edges);
            edgesBy = Arrays.copyOf(edgesBy, 2 * edges);
            edgesTo = Arrays.copyOf(edgesTo, 2 * edges);
            nextEdges = Arrays.copyOf(nextEdges, 2 * edges);
        }
        edgesFrom[edges] = from;
        edgesBy[edges] = by;
        edgesTo[edges] = to;
        nextEdges[edges] = firstEdges[from];
        firstEdges[from] = edges;
        places[place(from, by)] = ++edges;
    }

    private int edge(int from, char by) {
        return places[place(from, by)] - 1;
    }

    /** The place of the edge, or the one where it would be put. */
    private int place(int from, char by) {
        int mask = places.length - 1;
        int place = (int) ((((long) from << Character.SIZE | by) * multiplier) >>> 32) & mask;
        while (places[place] != 0 && (edgesFrom[places[place] - 1] != from || edgesBy[places[place] - 1] != by)) {
            place = (place + 1) & mask;
        }
        return place;
    }
}
