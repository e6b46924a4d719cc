package io.fanfare.common.text;

import java.util.Arrays;
import java.util.List;

/**
 * Finds keywords in texts, in groups: of each group the leftmost match, and at one place the first of its keywords, as
 * {@code Regexp.union} of Mastodon's patterns does. Letters are alike whatever their case, by simple folding. A keyword
 * that is a whole word has a boundary of words where it begins or ends with a character of a word; letters, marks,
 * decimal digits and connectors such as {@code _} are those. Unlike Mastodon's, it has none where it begins or ends in
 * a script that puts no spaces between words. Spaces are alike, and a line break is one.
 *
 * <p>One pass over the text, whatever the keywords: an automaton of Aho and Corasick over folded characters. The
 * boundaries of words stand between them as a character of their own, in the text as in each keyword, so that nothing
 * that was found has to be looked at again: a keyword finds each place at most once, and is passed over from then on.
 * Immutable.
 */
public final class KeywordMatcher {
    /** In place of a character: here a word begins or ends. */
    private static final int BOUNDARY = Character.MAX_CODE_POINT + 1;

    private static final int NONE = -1;

    /**
     * A keyword.
     *
     * @param wholeWord whether it must not be a part of a longer word
     */
    public record Word(String text, boolean wholeWord) {}

    private final int groups;

    /** By the pattern: the group, the place in it, and the length in characters. */
    private final int[] group;

    private final int[] order;
    private final int[] length;

    /** By the node: where a mismatch goes on, the patterns that end there, the nearest node behind it with some. */
    private final int[] failure;

    private final int[] firstPattern;
    private final int[] shorter;

    /** By the pattern: another one that ends at the same node. */
    private final int[] nextPattern;

    private final int nodes;

    /**
     * By the node: where its edges begin. They are sorted by their symbols, and not hashed, so that nobody can choose
     * keywords that make the search slow.
     */
    private final int[] edges;

    private final int[] symbols;
    private final int[] targets;

    private KeywordMatcher(List<List<Word>> words) {
        groups = words.size();
        int patterns = words.stream().mapToInt(List::size).sum();
        group = new int[patterns];
        order = new int[patterns];
        length = new int[patterns];
        nextPattern = new int[patterns];
        Trie trie = new Trie();
        int pattern = 0;
        for (int i = 0; i < words.size(); i++) {
            int place = 0;
            for (Word word : words.get(i)) {
                group[pattern] = i;
                order[pattern] = place++;
                length[pattern] = word.text().codePointCount(0, word.text().length());
                int end = trie.add(symbols(word));
                nextPattern[pattern] = trie.firstPattern[end];
                trie.firstPattern[end] = pattern;
                pattern++;
            }
        }
        nodes = trie.nodes;
        firstPattern = Arrays.copyOf(trie.firstPattern, nodes);
        edges = new int[nodes + 1];
        symbols = new int[nodes - 1];
        targets = new int[nodes - 1];
        sortEdges(trie);
        failure = new int[nodes];
        shorter = new int[nodes];
        shorter[0] = NONE;
        link(trie);
    }

    /**
     * Keywords with common beginnings, while they are gathered. A node has no more children than there are keywords.
     */
    private static final class Trie {
        private int nodes = 1;
        private int[] parent = new int[16];
        private int[] symbol = new int[16];
        private int[] firstChild = new int[16];
        private int[] sibling = new int[16];
        private int[] firstPattern = new int[16];

        Trie() {
            firstPattern[0] = NONE;
        }

        /** The node at which these end. */
        int add(int[] symbols) {
            int node = 0;
            for (int each : symbols) {
                int child = firstChild[node];
                // The root is nobody's child.
                while (child != 0 && symbol[child] != each) {
                    child = sibling[child];
                }
                node = child == 0 ? grow(node, each) : child;
            }
            return node;
        }

        private int grow(int node, int each) {
            if (nodes == parent.length) {
                parent = Arrays.copyOf(parent, 2 * nodes);
                symbol = Arrays.copyOf(symbol, 2 * nodes);
                firstChild = Arrays.copyOf(firstChild, 2 * nodes);
                sibling = Arrays.copyOf(sibling, 2 * nodes);
                firstPattern = Arrays.copyOf(firstPattern, 2 * nodes);
            }
            parent[nodes] = node;
            symbol[nodes] = each;
            sibling[nodes] = firstChild[node];
            firstChild[node] = nodes;
            firstPattern[nodes] = NONE;
            return nodes++;
        }
    }

    /** One that looks for these, by their groups. None of them is empty. */
    public static KeywordMatcher of(List<List<Word>> words) {
        return new KeywordMatcher(words);
    }

    /** About what it takes in memory. */
    int bytes() {
        return 24 * nodes + 16 * group.length;
    }

    private static int[] symbols(Word word) {
        int[] points = word.text().codePoints().toArray();
        int[] symbols = new int[2 * points.length + 2];
        int count = 0;
        for (int i = 0; i <= points.length; i++) {
            boolean before = i > 0 && isOfWord(points[i - 1]);
            boolean behind = i < points.length && isOfWord(points[i]);
            boolean inside = i > 0 && i < points.length;
            if (before != behind) {
                // Scripts without spaces have no boundary at the ends of a word. One inside of the keyword is known.
                boolean hasBoundary = !TextEntities.isUnspaced(points[before ? i - 1 : i]);
                if (inside || (word.wholeWord() && hasBoundary)) {
                    symbols[count++] = BOUNDARY;
                }
            }
            if (i < points.length) {
                symbols[count++] = fold(points[i]);
            }
        }
        return Arrays.copyOf(symbols, count);
    }

    private void sortEdges(Trie trie) {
        long[] sorted = new long[nodes - 1];
        int at = 0;
        for (int node = 0; node < nodes; node++) {
            edges[node] = at;
            for (int child = trie.firstChild[node]; child != 0; child = trie.sibling[child]) {
                sorted[at++] = ((long) trie.symbol[child] << Integer.SIZE) | child;
            }
            Arrays.sort(sorted, edges[node], at);
        }
        edges[nodes] = at;
        for (int i = 0; i < at; i++) {
            symbols[i] = (int) (sorted[i] >>> Integer.SIZE);
            targets[i] = (int) sorted[i];
        }
    }

    private int child(int node, int symbol) {
        int at = Arrays.binarySearch(symbols, edges[node], edges[node + 1], symbol);
        return at < 0 ? NONE : targets[at];
    }

    /** Nodes in the order of their depth know where to go on when a character does not fit. */
    private void link(Trie trie) {
        int[] depth = new int[nodes];
        // A child is made after its parent.
        int deepest = 0;
        for (int node = 1; node < nodes; node++) {
            depth[node] = depth[trie.parent[node]] + 1;
            deepest = Math.max(deepest, depth[node]);
        }
        int[] starts = new int[deepest + 2];
        for (int node = 0; node < nodes; node++) {
            starts[depth[node] + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        int[] byDepth = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            byDepth[starts[depth[node]]++] = node;
        }
        for (int i = 1; i < nodes; i++) {
            int node = byDepth[i];
            int parent = trie.parent[node];
            failure[node] = parent == 0 ? 0 : step(failure[parent], trie.symbol[node]);
            shorter[node] = firstPattern[failure[node]] == NONE ? shorter[failure[node]] : failure[node];
        }
    }

    private int step(int from, int symbol) {
        int node = from;
        int next = child(node, symbol);
        while (next == NONE && node != 0) {
            node = failure[node];
            next = child(node, symbol);
        }
        return next == NONE ? 0 : next;
    }

    /**
     * The matching words for each group, as they stand in the text, by the number of the group; null for those that
     * match nothing. Null when none matches.
     */
    public String[] find(String text) {
        return nodes == 1 ? null : new Scan(text).run();
    }

    /** One pass over one text. */
    private final class Scan {
        private final String text;

        /** By the group: where its match begins, in characters; NONE = nowhere so far. */
        private int[] starts;

        private int[] ends;
        private int[] orders;

        /**
         * By the node: the nearest one behind it with patterns that are still looked for; null = as {@link #shorter}.
         */
        private int[] open;

        private boolean[] found;

        Scan(String text) {
            this.text = text;
        }

        String[] run() {
            int node = 0;
            int point = 0;
            boolean inWord = false;
            for (int at = 0; at < text.length(); ) {
                int c = text.codePointAt(at);
                boolean ofWord = isOfWord(c);
                if (ofWord != inWord) {
                    node = advance(node, BOUNDARY, point);
                }
                inWord = ofWord;
                point++;
                node = advance(node, fold(c), point);
                at += Character.charCount(c);
            }
            if (inWord) {
                node = advance(node, BOUNDARY, point);
            }
            return starts == null ? null : matches();
        }

        private int advance(int from, int symbol, int end) {
            int node = step(from, symbol);
            for (int at = firstPattern[node] == NONE ? behind(node) : node; at != NONE; at = behind(at)) {
                if (found == null || !found[at]) {
                    take(at, end);
                }
            }
            return node;
        }

        /** All patterns that end at a node have one length of symbols, and are found together: never again. */
        private void take(int node, int end) {
            if (starts == null) {
                starts = new int[groups];
                Arrays.fill(starts, NONE);
                ends = new int[groups];
                orders = new int[groups];
                open = shorter.clone();
                found = new boolean[nodes];
            }
            found[node] = true;
            for (int pattern = firstPattern[node]; pattern != NONE; pattern = nextPattern[pattern]) {
                int start = end - length[pattern];
                int of = group[pattern];
                boolean better = starts[of] == NONE
                        || start < starts[of]
                        || (start == starts[of] && order[pattern] < orders[of]);
                if (better) {
                    starts[of] = start;
                    ends[of] = end;
                    orders[of] = order[pattern];
                }
            }
        }

        /** Passes over what has been found, and makes the way shorter for the next time. */
        private int behind(int node) {
            if (open == null) {
                return shorter[node];
            }
            int next = open[node];
            while (next != NONE && found[next]) {
                next = open[next];
            }
            int at = node;
            while (at != next && at != NONE) {
                int following = open[at];
                open[at] = next;
                at = following;
            }
            return next;
        }

        private String[] matches() {
            String[] matches = new String[groups];
            for (int i = 0; i < groups; i++) {
                if (starts[i] != NONE) {
                    int from = text.offsetByCodePoints(0, starts[i]);
                    matches[i] = text.substring(from, text.offsetByCodePoints(from, ends[i] - starts[i]));
                }
            }
            return matches;
        }
    }

    /** Whether the character is a part of words, as {@code [[:word:]]} of Ruby has it. */
    static boolean isOfWord(int c) {
        if (c < 128) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        }
        return Character.isAlphabetic(c)
                || switch (Character.getType(c)) {
                    case Character.NON_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.DECIMAL_DIGIT_NUMBER,
                            Character.CONNECTOR_PUNCTUATION -> true;
                    default -> false;
                };
    }

    /** Simple folding; the Turkish capital I with a dot is an i, the small one without keeps apart. A space is any. */
    static int fold(int c) {
        if (c < 128) {
            if (c >= 'A' && c <= 'Z') {
                return c + ('a' - 'A');
            }
            return c >= '\t' && c <= '\r' ? ' ' : c;
        }
        if (c == '\u0130') {
            return 'i';
        }
        if (Character.isSpaceChar(c)) {
            return ' ';
        }
        return c == '\u0131' ? c : Character.toLowerCase(Character.toUpperCase(Character.toLowerCase(c)));
    }
}
