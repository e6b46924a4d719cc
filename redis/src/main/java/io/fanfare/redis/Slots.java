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
        int open = key.indexOf('{');
        int close = tagEnd(key, open);
        String counted = close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte b : counted.getBytes(StandardCharsets.UTF_8)) {
            crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >>> 8) ^ (b & 0xff)];
        }
        return crc & (COUNT - 1);
    }
}
