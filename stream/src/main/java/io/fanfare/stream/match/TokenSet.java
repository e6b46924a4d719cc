package io.fanfare.stream.match;

import java.util.Arrays;

/**
 * Words of a text, each once: their places in it instead of copies, and hashes to compare them. Must be filled before
 * it is searched.
 */
final class TokenSet {
    private static final int WORDS_FIRST = 16;

    /** Odd, and as good as any that look random: of the hash, and of another that has nothing to do with it. */
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final long CHECK_MULTIPLIER = 0xD1342543DE82EF95L;

    private final String text;
    private final long seed;
    private long[] hashes = new long[WORDS_FIRST];
    private int[] checks = new int[WORDS_FIRST];
    private int[] begins = new int[WORDS_FIRST];
    private int[] ends = new int[WORDS_FIRST];
    private int size;

    /** Places by hash, open addressing: the number of a word plus one, 0 = free. At most half of them are taken. */
    private int[] places = new int[2 * WORDS_FIRST];

    /** @param seed of the hashes, so that nobody can prepare words of one hash */
    TokenSet(String text, long seed) {
        this.text = text;
        this.seed = seed;
    }

    /** Mostly the same place is named several times in a row, in the several roles of one word. */
    void add(int begin, int end) {
        if (size > 0 && begins[size - 1] == begin && ends[size - 1] == end) {
            return;
        }
        long hash = hash(text, begin, end, seed);
        int place = find(hash, text, begin, end);
        if (places[place] != 0) {
            return;
        }
        if (size == hashes.length) {
            grow();
            place = find(hash, text, begin, end);
        }
        hashes[size] = hash;
        checks[size] = check(text, begin, end, seed);
        begins[size] = begin;
        ends[size] = end;
        size++;
        places[place] = size;
    }

    private void grow() {
        hashes = Arrays.copyOf(hashes, 2 * size);
        checks = Arrays.copyOf(checks, 2 * size);
        begins = Arrays.copyOf(begins, 2 * size);
        ends = Arrays.copyOf(ends, 2 * size);
        places = new int[4 * size];
        for (int i = 0; i < size; i++) {
            places[find(hashes[i], text, begins[i], ends[i])] = i + 1;
        }
    }

    int size() {
        return size;
    }

    /** {@link #hash(String, long)} of each word, and more behind them. Not to be changed. */
    long[] hashes() {
        return hashes;
    }

    /** {@link #hash(String, long)} of the word of that number. */
    long hash(int word) {
        return hashes[word];
    }

    /** {@link #check(String, long)} of the word of that number. */
    int check(int word) {
        return checks[word];
    }

    /** Whether that word of the others, which have the same seed, is among these. */
    boolean has(TokenSet others, int word) {
        return places[find(others.hashes[word], others.text, others.begins[word], others.ends[word])] != 0;
    }

    boolean has(String word) {
        return places[find(hash(word, seed), word, 0, word.length())] != 0;
    }

    /** The place of the word, or the one where it would be put. */
    private int find(long hash, String source, int begin, int end) {
        int mask = places.length - 1;
        int place = (int) hash & mask;
        while (places[place] != 0 && !is(places[place] - 1, hash, source, begin, end)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private boolean is(int word, long hash, String source, int begin, int end) {
        int length = end - begin;
        return hashes[word] == hash
                && ends[word] - begins[word] == length
                && text.regionMatches(begins[word], source, begin, length);
    }

    /** Equal for equal words, and different for others but by rare accident. */
    static long hash(String word, long seed) {
        return hash(word, 0, word.length(), seed);
    }

    private static long hash(String text, int begin, int end, long seed) {
        long hash = seed;
        for (int i = begin; i < end; i++) {
            hash = (hash ^ text.charAt(i)) * MULTIPLIER;
        }
        return hash ^ hash >>> 32;
    }

    /** Another hash, for certainty. */
    static int check(String word, long seed) {
        return check(word, 0, word.length(), seed);
    }

    private static int check(String text, int begin, int end, long seed) {
        long check = ~seed;
        for (int i = begin; i < end; i++) {
            check = (check ^ text.charAt(i)) * CHECK_MULTIPLIER;
        }
        return (int) (check >>> 32);
    }
}
