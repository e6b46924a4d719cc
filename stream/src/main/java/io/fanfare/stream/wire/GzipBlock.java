package io.fanfare.stream.wire;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A part of a body that is one member of gzip (RFC 1952): whole blocks of deflate that end at a byte and refer to
 * nothing before them. So a block may follow any other, and one block serves every stream that sends these bytes. A
 * member ends with the checksum of all that it holds: {@link #checksum} takes it from those of the blocks. Immutable;
 * the bytes are shared.
 *
 * @param bytes the blocks
 * @param crc the CRC-32 of the text
 * @param length of the text, in bytes
 * @param shift {@code x^(8 * length)}, which moves a checksum behind the text
 */
public record GzipBlock(Buffer bytes, int crc, int length, int shift) {
    /** The first bytes of a member: deflate, no flags, no time, system unknown. */
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    /** The last block of a member: no text, with the fixed codes (RFC 1951, section 3.2.6). */
    private static final byte[] LAST_BLOCK = {3, 0};

    private static final int STORED_MAX = 0xffff;
    private static final int STORED_HEAD_BYTES = 5;

    /** The polynomial of CRC-32, the lowest power in the highest bit; so are all the others here. */
    private static final int POLYNOMIAL = 0xedb88320;

    private static final int ONE = 1 << 31;

    /** {@code x^(8 * 2^i)}. */
    private static final int[] SHIFTS = new int[Integer.SIZE - 1];

    static {
        SHIFTS[0] = ONE >>> Byte.SIZE;
        for (int i = 1; i < SHIFTS.length; i++) {
            SHIFTS[i] = product(SHIFTS[i - 1], SHIFTS[i - 1]);
        }
    }

    /** The text in blocks of deflate, which hold all of it and nothing else. */
    static GzipBlock of(Buffer blocks, byte[] text) {
        CRC32 crc = new CRC32();
        crc.update(text);
        return new GzipBlock(blocks, (int) crc.getValue(), text.length, shift(text.length));
    }

    /** The text as it is, in stored blocks: five bytes more for each 64 KiB. */
    public static GzipBlock stored(Buffer text) {
        byte[] bytes = text.getBytes();
        Buffer blocks = Buffer.buffer(bytes.length + STORED_HEAD_BYTES);
        for (int at = 0; at < bytes.length; at += STORED_MAX) {
            int length = Math.min(STORED_MAX, bytes.length - at);
            blocks.appendByte((byte) 0)
                    .appendUnsignedShortLE(length)
                    .appendUnsignedShortLE(~length & STORED_MAX)
                    .appendBytes(bytes, at, length);
        }
        return of(blocks, bytes);
    }

    /** All of them, one behind the other; at least one. */
    public static GzipBlock joined(List<GzipBlock> blocks) {
        if (blocks.size() == 1) {
            return blocks.get(0);
        }
        Buffer bytes = Buffer.buffer(
                blocks.stream().mapToInt(block -> block.bytes.length()).sum());
        int crc = 0;
        int length = 0;
        for (GzipBlock block : blocks) {
            bytes.appendBuffer(block.bytes);
            crc = block.checksum(crc);
            length += block.length;
        }
        return new GzipBlock(bytes, crc, length, shift(length));
    }

    /** The bytes with the beginning of a member before them. */
    public Buffer asFirst() {
        return Buffer.buffer(HEAD.length + bytes.length()).appendBytes(HEAD).appendBuffer(bytes);
    }

    /**
     * The end of a member.
     *
     * @param crc of all its text
     * @param length of all its text, modulo 2^32
     */
    public static Buffer end(int crc, int length) {
        return Buffer.buffer(LAST_BLOCK).appendIntLE(crc).appendIntLE(length);
    }

    /**
     * The CRC-32 of a text that this one follows.
     *
     * @param before the CRC-32 of all that comes before; 0 = nothing does
     */
    public int checksum(int before) {
        return product(shift, before) ^ crc;
    }

    private static int shift(int length) {
        int shift = ONE;
        for (int i = 0; length >> i != 0; i++) {
            if (((length >> i) & 1) != 0) {
                shift = product(SHIFTS[i], shift);
            }
        }
        return shift;
    }

    /** The product of two polynomials over GF(2), modulo that of CRC-32. Takes some 30 ns. */
    private static int product(int a, int b) {
        int product = 0;
        int power = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= power & (rest >> (Integer.SIZE - 1));
            power = (power >>> 1) ^ (POLYNOMIAL & -(power & 1));
        }
        return product;
    }
}
