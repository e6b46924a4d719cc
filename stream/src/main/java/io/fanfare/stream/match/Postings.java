package io.fanfare.stream.match;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Small numbers by large ones: who looks for a word, a character, an account, a place. A look-up among a million mostly
 * waits for memory. Most keys that are looked up are absent, which a Bloom filter detects: three bits of one number for
 * each key, cut into blocks of 64 bits. All words of a text pass it in one loop without branches, so that their waits
 * overlap. A key that is there costs one wait more: keys and values lie side by side in one array; only a key of
 * several values has a list elsewhere. The table is cut into parts that grow one by one: growing as a whole, a million
 * keys would stop the event loop for 50 ms. The Bloom filter is one array, which is copied when its parts need more
 * room: that takes 2 ms for a million keys.
 *
 * <p>A key is 64 bits and, if that is a hash, 32 more of another one, the check: words that agree in both are taken for
 * the same. Among a million words and 100,000 looked up a second, accident deceives us once in 10^10 years. What is
 * freed is used again, but not given back. Confined to one event loop.
 */
final class Postings {
    private static final int PART_BITS = 8;

    private static final int[] NONE = {0};

    /**
     * Odd, and secret: scatters keys so that nobody can choose those that fall into one part, or at one place there
     * (Dietzfelbinger and others, 1997).
     */
    private final long multiplier;

    private final Part[] parts = new Part[1 << PART_BITS];

    /**
     * The Bloom filter: as many blocks for each part, one part behind the other, with bits of its keys, and perhaps of
     * some that it had.
     */
    private long[] bloom = new long[1 << PART_BITS];

    /** How many blocks a part has, as a power of two. */
    private int blockBits;

    /** Values of the keys that have several. */
    private final Slab<int[]> lists = new Slab<>();

    private int size;

    /** @param seed drawn by chance */
    Postings(long seed) {
        multiplier = seed | 1;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part(multiplier);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The memory of the Bloom filter. */
    long bloomBytes() {
        return (long) bloom.length * Long.BYTES;
    }

    /**
     * Finds the keys that may be here: all that are, and about one of a hundred others.
     *
     * @param keys of which the first {@code size} count
     * @param into gets their places among these; has room for all
     * @return how many these are
     */
    int sift(long[] keys, int size, int[] into) {
        int n = 0;
        for (int i = 0; i < size; i++) {
            into[n] = i;
            n += 1 - lacks(keys[i]);
        }
        return n;
    }

    /**
     * 1 = the key is certainly not here, 0 = it may be. A number, since a branch would be foretold wrongly for each
     * that is found, and until a processor learns that it was, it asks for nothing else.
     */
    private int lacks(long key) {
        long scattered = key * multiplier;
        long missing = bits(scattered) & ~bloom[block(scattered)];
        return (int) ((missing | -missing) >>> (Long.SIZE - 1));
    }

    /**
     * The values of a key: how many there are, then each, then perhaps room for others. Not to be changed, and only
     * good until values are added or removed.
     */
    int[] get(long key, int check) {
        if (lacks(key) != 0) {
            return NONE;
        }
        Part part = parts[part(key * multiplier)];
        int held = part.held(part.find(key, check));
        if (held == 0) {
            return NONE;
        }
        return held < 0 ? lists.get(~held) : new int[] {1, held - 1};
    }

    /** The value of a key that has one, or none at all; -1 = none. */
    int only(long key) {
        if (lacks(key) != 0) {
            return -1;
        }
        Part part = parts[part(key * multiplier)];
        return part.held(part.find(key, 0)) - 1;
    }

    /**
     * Gives the key one more value.
     *
     * @param value not negative
     */
    void add(long key, int check, int value) {
        int number = part(key * multiplier);
        Part part = parts[number];
        int at = part.find(key, check);
        int held = part.held(at);
        if (held == 0) {
            if (part.put(key, check, value + 1)) {
                rebuildBloom(number);
            } else {
                mark(key);
            }
            size++;
        } else if (held < 0) {
            lists.set(~held, with(lists.get(~held), value));
        } else {
            part.hold(at, ~lists.add(new int[] {2, held - 1, value}));
        }
    }

    /** Undoes one {@link #add}; does nothing when there was none. */
    void remove(long key, int check, int value) {
        int number = part(key * multiplier);
        Part part = parts[number];
        int at = part.find(key, check);
        int held = part.held(at);
        if (held < 0) {
            int[] rest = without(lists.get(~held), value);
            lists.set(~held, rest);
            if (rest[0] == 1) {
                lists.remove(~held);
                part.hold(at, rest[1] + 1);
            }
        } else if (held == value + 1) {
            if (part.vacate(at)) {
                rebuildBloom(number);
            }
            size--;
        }
    }

    /** No values, for {@link #with}. */
    static int[] none() {
        return NONE;
    }

    /** The values of {@link #get}. */
    static IntStream stream(int[] values) {
        return Arrays.stream(values, 1, 1 + values[0]);
    }

    /**
     * Values and one more: in the same array, or in a larger one. A long list gets room for an eighth more, since
     * thousands of filters that come one after the other may all follow one account.
     */
    static int[] with(int[] values, int value) {
        int size = values[0] + 1;
        int[] more = size < values.length ? values : Arrays.copyOf(values, 1 + size + (size >> 3));
        more[size] = value;
        more[0] = size;
        return more;
    }

    /** The same without one of them, which the last one replaces. */
    static int[] without(int[] values, int value) {
        int size = values[0];
        for (int i = size; i > 0; i--) {
            if (values[i] == value) {
                values[i] = values[size];
                values[0] = size - 1;
                return 2 * size < values.length ? Arrays.copyOf(values, 1 + size) : values;
            }
        }
        return values;
    }

    private static int part(long scattered) {
        return (int) (scattered >>> (Long.SIZE - PART_BITS));
    }

    /** The number that has a key's bits; within the part from other bits than the part. */
    private int block(long scattered) {
        return (part(scattered) << blockBits) | ((int) (scattered >>> 44) & ((1 << blockBits) - 1));
    }

    /** From other bits again. */
    private static long bits(long scattered) {
        return 1L << (scattered >>> 38) | 1L << (scattered >>> 32) | 1L << (scattered >>> 26);
    }

    private void mark(long key) {
        long scattered = key * multiplier;
        bloom[block(scattered)] |= bits(scattered);
    }

    /** Marks the keys of a part, and no others. */
    private void rebuildBloom(int number) {
        Part part = parts[number];
        while (part.places() > Byte.SIZE << blockBits) {
            spread();
        }
        Arrays.fill(bloom, number << blockBits, (number + 1) << blockBits, 0);
        for (int at = 0; at < part.places(); at++) {
            if (part.held(at) != 0) {
                mark(part.places[2 * at]);
            }
        }
    }

    /**
     * Gives every part twice the blocks. Two blocks repeat the bits of one from now on, until the part's keys are
     * marked again when it grows, so nothing is read for this.
     */
    private void spread() {
        long[] wider = new long[2 * bloom.length];
        int blocks = 1 << blockBits;
        for (int from = 0; from < bloom.length; from += blocks) {
            System.arraycopy(bloom, from, wider, 2 * from, blocks);
            System.arraycopy(bloom, from, wider, 2 * from + blocks, blocks);
        }
        bloom = wider;
        blockBits++;
    }

    /**
     * A table with open addressing: a key lies at its home or in the first free place behind it, and there is always
     * one.
     */
    private static final class Part {
        private static final int PLACES_FIRST = 8;

        /**
         * For each place the key, and the check above its content: a value plus one, or the number of a list, inverted;
         * 0 = free.
         */
        private long[] places = new long[2 * PLACES_FIRST];

        private final long multiplier;
        private int taken;

        /** Keys that are gone and have left their bits in the Bloom filter. */
        private int gone;

        Part(long multiplier) {
            this.multiplier = multiplier;
        }

        int held(int at) {
            return (int) places[2 * at + 1];
        }

        void hold(int at, int held) {
            places[2 * at + 1] = pair((int) (places[2 * at + 1] >>> Integer.SIZE), held);
        }

        private static long pair(int check, int held) {
            return (long) check << Integer.SIZE | Integer.toUnsignedLong(held);
        }

        int places() {
            return places.length / 2;
        }

        /** The place of the key, or the one where it would be put. */
        int find(long key, int check) {
            int at = home(key);
            while (held(at) != 0 && !is(at, key, check)) {
                at = next(at);
            }
            return at;
        }

        private boolean is(int at, long key, int check) {
            return places[2 * at] == key && (int) (places[2 * at + 1] >>> Integer.SIZE) == check;
        }

        /**
         * The key must not be in here. Answers whether there is need for another Bloom filter, as there are other
         * places now.
         */
        boolean put(long key, int check, int held) {
            boolean full = 3 * (taken + 1) > 2 * (mask() + 1);
            if (full) {
                grow();
            }
            settle(key, pair(check, held));
            taken++;
            return full;
        }

        private void settle(long key, long rest) {
            int at = home(key);
            while (held(at) != 0) {
                at = next(at);
            }
            places[2 * at] = key;
            places[2 * at + 1] = rest;
        }

        private void grow() {
            long[] old = places;
            places = new long[2 * old.length];
            gone = 0;
            for (int i = 0; i < old.length; i += 2) {
                if ((int) old[i + 1] != 0) {
                    settle(old[i], old[i + 1]);
                }
            }
        }

        /**
         * Moves up what lies behind it only because the place was taken. Answers whether there is need for another
         * Bloom filter, as too many keys are gone.
         */
        boolean vacate(int at) {
            int gap = at;
            for (int next = next(gap); held(next) != 0; next = next(next)) {
                if (distance(home(places[2 * next]), next) >= distance(gap, next)) {
                    places[2 * gap] = places[2 * next];
                    places[2 * gap + 1] = places[2 * next + 1];
                    gap = next;
                }
            }
            places[2 * gap + 1] = 0;
            taken--;
            gone = (gone + 1) & mask() >> 2;
            return gone == 0;
        }

        /** From other bits than the part. */
        private int home(long key) {
            return (int) ((key * multiplier) >>> 24) & mask();
        }

        private int next(int at) {
            return (at + 1) & mask();
        }

        private int distance(int from, int to) {
            return (to - from) & mask();
        }

        private int mask() {
            return places.length / 2 - 1;
        }
    }
}
