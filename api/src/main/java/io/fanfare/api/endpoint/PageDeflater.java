package io.fanfare.api.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Compresses a page of JSON in less than half the time of the lowest level of zlib, to the same size (ADR 0086). A
 * status repeats most of the status before it, so that one look into a table finds a match, and the distance of the
 * last match often is that of the next one. The output is one block of deflate (RFC 1951), with the codes of
 * {@link DeflateCode}. The time is proportional to the bytes, whatever they are. Confined to one thread.
 */
final class PageDeflater {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final DeflateCode CODE = new DeflateCode();

    private static final int TABLE_BITS = 13;

    /** A match has at least five bytes. The shift drops the other three of a long. */
    private static final int NOT_COMPARED = Long.SIZE - 5 * Byte.SIZE;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** By the hash of five bytes, their last position plus {@link #base}. */
    private final int[] lastAt = new int[1 << TABLE_BITS];

    /** More than all entries of pages before, so that no page has to clear the table. */
    private int base;

    PageDeflater() {
        this(1);
    }

    /** @param base positive; for tests, which cannot wait until it overflows */
    PageDeflater(int base) {
        this.base = base;
    }

    /**
     * The most bytes that {@link #deflate} may touch for a page of this length: the output, and up to eight behind it.
     */
    static int bytesMax(int length) {
        return CODE.header.length + length + length / 2 + 2 * Long.BYTES;
    }

    /**
     * Compresses the first bytes of {@code in}, and returns the position behind the output.
     *
     * @param out has {@link #bytesMax} bytes from {@code at}
     */
    int deflate(byte[] in, int length, byte[] out, int at) {
        if (base > Integer.MAX_VALUE - length) {
            Arrays.fill(lastAt, 0);
            base = 1;
        }
        // The fields are in local variables, and bits are added in two places, since both halve the time.
        int[] literals = CODE.literals;
        int[] literalBits = CODE.literalBits;
        int headerBytes = CODE.header.length - 1;
        System.arraycopy(CODE.header, 0, out, at, headerBytes);
        int to = at + headerBytes;
        long bits = CODE.header[headerBytes];
        int count = CODE.headerTail;
        int distance = 0;
        int comparable = length - Long.BYTES;
        int i = 0;
        while (i < length) {
            int matching = 0;
            if (i < comparable) {
                long next = (long) LONG.get(in, i);
                int slot = slot(next);
                int candidate = i - (lastAt[slot] - base);
                lastAt[slot] = i + base;
                if (distance > 0 && sameStart((long) LONG.get(in, i - distance), next)) {
                    matching = matching(in, i, distance, length);
                } else if (candidate <= Math.min(i, DeflateCode.DISTANCE_MAX)
                        && sameStart((long) LONG.get(in, i - candidate), next)) {
                    distance = candidate;
                    matching = matching(in, i, distance, length);
                }
            }
            if (matching == 0) {
                int literal = in[i++] & 0xff;
                bits |= (long) literals[literal] << count;
                count += literalBits[literal];
            } else {
                int symbol = DeflateCode.distanceSymbol(distance);
                bits |= (long) CODE.lengths[matching] << count;
                count += CODE.lengthBits[matching];
                bits |= (long) CODE.distances[symbol] << count;
                count += CODE.distanceBits[symbol];
                bits |= (long) (distance - CODE.distanceBase[symbol]) << count;
                count += CODE.distanceExtraBits[symbol];
                i += matching;
                if (i <= comparable) {
                    lastAt[slot((long) LONG.get(in, i - 1))] = i - 1 + base;
                }
            }
            // At most 7 bits stay, and at most 12 + 5 + 12 + 13 come.
            LONG.set(out, to, bits);
            to += count >>> 3;
            bits >>>= count & -Byte.SIZE;
            count &= Byte.SIZE - 1;
        }
        bits |= (long) literals[DeflateCode.END_OF_BLOCK] << count;
        count += literalBits[DeflateCode.END_OF_BLOCK];
        LONG.set(out, to, bits);
        base += length;
        return to + (count + Byte.SIZE - 1) / Byte.SIZE;
    }

    private static int slot(long bytes) {
        return (int) (((bytes << NOT_COMPARED) * MULTIPLIER) >>> (Long.SIZE - TABLE_BITS));
    }

    private static boolean sameStart(long one, long other) {
        return ((one ^ other) << NOT_COMPARED) == 0;
    }

    /** How many bytes from {@code at} are those that stand {@code distance} before, as far as one match reaches. */
    private static int matching(byte[] in, int at, int distance, int length) {
        int end = Math.min(length, at + DeflateCode.MATCH_MAX);
        int i = at;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            long differences = (long) LONG.get(in, i) ^ (long) LONG.get(in, i - distance);
            if (differences != 0) {
                return i - at + Long.numberOfTrailingZeros(differences) / Byte.SIZE;
            }
        }
        while (i < end && in[i] == in[i - distance]) {
            i++;
        }
        return i - at;
    }
}
