package io.fanfare.stream.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Small numbers by large ones: who looks for a word, a character, an account, a place. A look-up among a million mostly waits for memory. Most keys that are asked for are not
 * there, which a byte for each place tells: all of them together stay in the processor's cache, and eight are asked at once, so that the waits for several keys overlap. A key that is
 * there costs one wait more: keys and values lie side by side in one array; only a key of several values has a list elsewhere. The table is cut into parts that grow one by one:
 * growing as a whole, a million keys would stop the event loop for 50 ms.
 *
 * <p>A key is 64 bits and, if that is a hash, 32 more of another one, the check: words that agree in both are taken for the same. Among a million words and 100,000 looked up a second,
 * accident deceives us once in 10^10 years. What is freed is used again, but not given back. Confined to one event loop.
 */
final class Postings {
    private static final int PART_BITS = 8;

    /** 2^64 by the golden ratio, which scatters any keys (Knuth, The Art of Computer Programming, 6.4). */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private static final int[] NONE = {};

    /** Eight bytes of an array as one number, the first of them lowest. */
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONE_EACH = 0x0101010101010101L;

    private final List<Part> parts = new ArrayList<>(1 << PART_BITS);

    /** Values of the keys that have several. Replaced, not changed. */
    private final Numbered<int[]> lists = new Numbered<>();

    private int size;

    Postings() {
        for (int i = 0; i < 1 << PART_BITS; i++) {
            parts.add(new Part());
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The values of a key; not to be changed. */
    int[] get(long key, int check) {
        Part part = part(key);
        if (part.lacks(key)) {
            return NONE;
        }
        int at = part.find(key, check);
        if (!part.isTaken(at)) {
            return NONE;
        }
        int value = part.value(at);
        return value < 0 ? lists.get(~value) : new int[] {value};
    }

    /**
     * Gives the key one more value.
     *
     * @param value not negative
     */
    void add(long key, int check, int value) {
        Part part = part(key);
        int at = part.find(key, check);
        if (!part.isTaken(at)) {
            part.put(key, check, value);
            size++;
        } else if (part.value(at) < 0) {
            int list = ~part.value(at);
            lists.set(list, with(lists.get(list), value));
        } else {
            part.set(at, ~lists.add(new int[] {part.value(at), value}));
        }
    }

    /** Undoes one {@link #add}; does nothing when there was none. */
    void remove(long key, int check, int value) {
        Part part = part(key);
        int at = part.find(key, check);
        if (!part.isTaken(at)) {
            return;
        }
        int held = part.value(at);
        if (held < 0) {
            int[] rest = without(lists.get(~held), value);
            lists.set(~held, rest);
            if (rest.length == 1) {
                lists.remove(~held);
                part.set(at, rest[0]);
            }
        } else if (held == value) {
            part.vacate(at);
            size--;
        }
    }

    static int[] with(int[] values, int value) {
        int[] more = Arrays.copyOf(values, values.length + 1);
        more[values.length] = value;
        return more;
    }

    static int[] without(int[] values, int value) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == value) {
                int[] fewer = Arrays.copyOf(values, values.length - 1);
                System.arraycopy(values, i + 1, fewer, i, fewer.length - i);
                return fewer;
            }
        }
        return values;
    }

    private Part part(long key) {
        return parts.get((int) ((key * GOLDEN) >>> (Long.SIZE - PART_BITS)));
    }

    /** A table with open addressing: a key lies at its home or in the first free place behind it, and there is always one. */
    private static final class Part {
        /** Of each place the key, and the check above the value. */
        private long[] places = new long[2];

        /** Of each place a byte of its key's, see {@link #mark}; 0 = free. */
        private byte[] marks = new byte[1];

        private int taken;

        boolean isTaken(int at) {
            return marks[at] != 0;
        }

        int value(int at) {
            return (int) places[2 * at + 1];
        }

        void set(int at, int value) {
            places[2 * at + 1] = pair((int) (places[2 * at + 1] >>> Integer.SIZE), value);
        }

        private static long pair(int check, int value) {
            return (long) check << Integer.SIZE | Integer.toUnsignedLong(value);
        }

        /**
         * Whether the key is certainly not in here: true for nearly all that are not. Whether a place is taken cannot be foretold, and a processor that guesses wrong asks for the next key only
         * when it has waited for this one. So there is no branch for each place, but one that nearly always goes the same way.
         */
        boolean lacks(long key) {
            int home = home(key);
            if (home > marks.length - Long.BYTES) {
                return false;
            }
            long eight = (long) EIGHT.get(marks, home);
            long free = zeros(eight);
            long same = zeros(eight ^ Byte.toUnsignedLong(mark(key)) * ONE_EACH);
            long untilFree = free ^ (free - 1);
            return free != 0 && (same & untilFree) == 0;
        }

        /** Has a bit for the lowest byte that is 0, and none if no byte is (Warren, Hacker's Delight, 6-1). */
        private static long zeros(long eight) {
            return (eight - ONE_EACH) & ~eight & ONE_EACH << 7;
        }

        /** Where the key is, or would be put. */
        int find(long key, int check) {
            byte mark = mark(key);
            int at = home(key);
            while (isTaken(at) && (marks[at] != mark || !is(at, key, check))) {
                at = next(at);
            }
            return at;
        }

        private boolean is(int at, long key, int check) {
            return places[2 * at] == key && (int) (places[2 * at + 1] >>> Integer.SIZE) == check;
        }

        /** The key must not be in here. */
        void put(long key, int check, int value) {
            if (3 * (taken + 1) > 2 * marks.length) {
                grow();
            }
            settle(key, pair(check, value));
            taken++;
        }

        private void settle(long key, long rest) {
            int at = home(key);
            while (isTaken(at)) {
                at = next(at);
            }
            marks[at] = mark(key);
            places[2 * at] = key;
            places[2 * at + 1] = rest;
        }

        private void grow() {
            long[] oldPlaces = places;
            byte[] oldMarks = marks;
            places = new long[2 * oldPlaces.length];
            marks = new byte[2 * oldMarks.length];
            for (int i = 0; i < oldMarks.length; i++) {
                if (oldMarks[i] != 0) {
                    settle(oldPlaces[2 * i], oldPlaces[2 * i + 1]);
                }
            }
        }

        /** Moves up what lies behind it only because the place was taken. */
        void vacate(int at) {
            int gap = at;
            for (int next = next(gap); isTaken(next); next = next(next)) {
                if (distance(home(places[2 * next]), next) >= distance(gap, next)) {
                    marks[gap] = marks[next];
                    places[2 * gap] = places[2 * next];
                    places[2 * gap + 1] = places[2 * next + 1];
                    gap = next;
                }
            }
            marks[gap] = 0;
            taken--;
        }

        /** From other bits than the part. */
        private int home(long key) {
            return (int) ((key * GOLDEN) >>> (Integer.SIZE - PART_BITS)) & mask();
        }

        /** From other bits again; never 0. */
        private static byte mark(long key) {
            return (byte) ((key * GOLDEN) >>> (Long.SIZE - PART_BITS - Byte.SIZE) | 1);
        }

        private int next(int at) {
            return (at + 1) & mask();
        }

        private int distance(int from, int to) {
            return (to - from) & mask();
        }

        private int mask() {
            return marks.length - 1;
        }
    }
}
