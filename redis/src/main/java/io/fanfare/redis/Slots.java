package io.fanfare.redis;

import java.nio.charset.StandardCharsets;

/**
 * Which of the 16,384 slots of a cluster a key lies in. Source: the Redis Cluster specification (CRC16 of the XMODEM
 * kind, hash tags).
 */
public final class Slots {
    static final int COUNT = 16_384;

    private static final int[] CRC16 = new int[256];

    static {
        for (int b = 0; b < 256; b++) {
            int crc = b << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            CRC16[b] = crc & 0xffff;
        }
    }

    private Slots() {}

    /** Whether other keys may lie in the slot of this one by their names. */
    static boolean hasTag(String key) {
        int open = key.indexOf('{');
        return tagEnd(key, open) > open + 1;
    }

    private static int tagEnd(String key, int open) {
        return open < 0 ? -1 : key.indexOf('}', open + 1);
    }

    /** Only what stands between the first brace and the next closing one counts, when that is not empty. */
    public static int of(String key) {
        return of(0, key);
    }

    /**
     * The same of a key with a prefix that has no brace.
     *
     * @param prefix the checksum of the prefix
     */
    static int of(int prefix, String key) {
        int open = key.indexOf('{');
        int close = tagEnd(key, open);
        boolean tagged = close > open + 1;
        String counted = tagged ? key.substring(open + 1, close) : key;
        return checksum(tagged ? 0 : prefix, counted.getBytes(StandardCharsets.UTF_8)) & (COUNT - 1);
    }

    /** Goes on from the checksum of what stands before. */
    static int checksum(int before, byte[] bytes) {
        int crc = before;
        for (byte b : bytes) {
            crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >>> 8) ^ (b & 0xff)];
        }
        return crc;
    }
}
