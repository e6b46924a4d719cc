package io.fanfare.api.endpoint;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The prefix codes of a block of deflate, and the header of the block that describes them (RFC 1951, section 3.2). The
 * codes are constants, trained on pages of statuses: a page then needs no count of its symbols and no codes of its own.
 * A code has at most 12 bits, so that no body grows by more than a half. The arrays are for {@link PageDeflater} alone,
 * which does not change them.
 */
final class DeflateCode {
    static final int END_OF_BLOCK = 256;
    static final int MATCH_MAX = 258;
    static final int DISTANCE_MAX = 1 << 15;

    private static final int MATCH_MIN = 3;
    private static final int FIRST_LENGTH_SYMBOL = 257;
    private static final int BITS_MAX = 12;

    /**
     * The bits of the code of each symbol as a hexadecimal digit: 256 bytes, the end of the block, 29 lengths of a
     * match. They come from the counts of the symbols in 15 pages of 20 public messages, each count increased by a few.
     */
    private static final String LITERAL_BITS = "cccccccccccccccccccccccccccccccc595accaccccc7a7866666666667a898b"
            + "a8987889a9aa9899aa998a99aaa989c8c5767577769867656966568897a9c9cc"
            + "bcbcbbbbbcbccbcbcccccccccbcccbcccbccbcbbcbcccccccbcbccccabcccccc"
            + "ccbaccccccccccccbccccccc99cccccccc9ccccccccccccbcccccccccccccccc"
            + "cca5676666778687765878a9796b86";

    /** The same for 30 distances. */
    private static final String DISTANCE_BITS = "abbbab666855565557656243454556";

    /** The same for the digits of the two, and for three kinds of runs, which the header does not use. */
    private static final String DIGIT_BITS = "0077653444441000000";

    /** The order of {@link #DIGIT_BITS} in the header. */
    private static final int[] DIGITS = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    /** Indexed by the byte, or {@link #END_OF_BLOCK}. */
    final int[] literals;

    final int[] literalBits = bits(LITERAL_BITS);

    /** Indexed by the length of a match; with the extra bits of the length. */
    final int[] lengths = new int[MATCH_MAX + 1];

    final int[] lengthBits = new int[MATCH_MAX + 1];

    /** Indexed by {@link #distanceSymbol}. */
    final int[] distances;

    final int[] distanceBits = bits(DISTANCE_BITS);

    /** The least distance of each symbol, and how many bits tell the distance from it. */
    final int[] distanceBase;

    final int[] distanceExtraBits;

    /** The first bits of the block; of the last byte only the {@link #headerTail} lowest ones, at most seven. */
    final byte[] header;

    final int headerTail;

    DeflateCode() {
        literals = codes(literalBits);
        distances = codes(distanceBits);
        distanceBase = new int[distances.length];
        distanceExtraBits = new int[distances.length];
        for (int symbol = 0, distance = 1; symbol < distances.length; symbol++) {
            distanceBase[symbol] = distance;
            distanceExtraBits[symbol] = Math.max(0, symbol / 2 - 1);
            distance += 1 << distanceExtraBits[symbol];
        }
        for (int symbol = FIRST_LENGTH_SYMBOL, length = MATCH_MIN; length < MATCH_MAX; symbol++) {
            int extraBits = Math.max(0, (symbol - FIRST_LENGTH_SYMBOL) / 4 - 1);
            for (int extra = 0; extra < 1 << extraBits && length < MATCH_MAX; extra++, length++) {
                lengths[length] = literals[symbol] | (extra << literalBits[symbol]);
                lengthBits[length] = literalBits[symbol] + extraBits;
            }
        }
        // The greatest length has a symbol of its own.
        lengths[MATCH_MAX] = literals[literals.length - 1];
        lengthBits[MATCH_MAX] = literalBits[literals.length - 1];

        Bits bits = new Bits();
        bits.add(1, 1); // the last block
        bits.add(2, 2); // with codes of its own
        bits.add(literals.length - FIRST_LENGTH_SYMBOL, 5);
        bits.add(distances.length - 1, 5);
        bits.add(DIGITS.length - 4, 4);
        int[] digitBits = bits(DIGIT_BITS);
        int[] digits = codes(digitBits);
        for (int digit : DIGITS) {
            bits.add(digitBits[digit], 3);
        }
        for (int[] all : new int[][] {literalBits, distanceBits}) {
            for (int digit : all) {
                bits.add(digits[digit], digitBits[digit]);
            }
        }
        header = bits.bytes();
        headerTail = bits.count % Byte.SIZE;
    }

    /** The symbol of a distance, from 1 to {@link #DISTANCE_MAX}. */
    static int distanceSymbol(int distance) {
        int less = distance - 1;
        if (less < 4) {
            return less;
        }
        int highest = 31 - Integer.numberOfLeadingZeros(less);
        return 2 * highest + ((less >>> (highest - 1)) & 1);
    }

    private static int[] bits(String digits) {
        return digits.chars().map(digit -> Character.digit(digit, 16)).toArray();
    }

    /** The codes of symbols with so many bits, 0 = no code (section 3.2.2), the first bit of each as the lowest. */
    private static int[] codes(int[] bits) {
        int[] codes = new int[bits.length];
        int next = 0;
        for (int length = 1; length <= BITS_MAX; length++) {
            for (int symbol = 0; symbol < bits.length; symbol++) {
                if (bits[symbol] == length) {
                    codes[symbol] = Integer.reverse(next++) >>> (Integer.SIZE - length);
                }
            }
            next <<= 1;
        }
        return codes;
    }

    /** Bits in their order, the lowest of a byte first. */
    private static final class Bits {
        private final BitSet set = new BitSet();
        private int count;

        void add(int value, int bits) {
            for (int i = 0; i < bits; i++) {
                set.set(count++, ((value >>> i) & 1) != 0);
            }
        }

        byte[] bytes() {
            return Arrays.copyOf(set.toByteArray(), count / Byte.SIZE + 1);
        }
    }
}
