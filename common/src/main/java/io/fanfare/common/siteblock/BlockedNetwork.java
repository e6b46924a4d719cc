package io.fanfare.common.siteblock;

import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A network of a block: the addresses that begin with the same bits (RFC 4632). Bits behind the prefix are 0.
 *
 * @param digits hexadecimal, as the server spells the address of a client: 8 of IPv4, 16 of IPv6, whose second half
 *     names no network
 * @param bits the length of the prefix: {@value #IPV4_BITS_MIN} to 32 of IPv4, {@value #IPV6_BITS_MIN} to 64 of IPv6
 */
public record BlockedNetwork(String digits, int bits) {
    /** The widest network of IPv4: the largest blocks that were ever assigned. */
    public static final int IPV4_BITS_MIN = 8;

    /** The widest network of IPv6: wider than what any provider has. */
    public static final int IPV6_BITS_MIN = 16;

    private static final int IPV4_DIGITS = 8;
    private static final int BITS_OF_A_DIGIT = 4;

    /** Throws {@link IllegalArgumentException} for digits or a length that no network has. */
    public BlockedNetwork {
        if (!isAddress(digits) || bits < bitsMin(digits) || bits > digits.length() * BITS_OF_A_DIGIT) {
            throw new IllegalArgumentException("no network: " + digits + "/" + bits);
        }
        long kept = first(Long.parseUnsignedLong(digits, 16), digits.length() * BITS_OF_A_DIGIT - bits);
        digits = HexFormat.of().toHexDigits(kept, digits.length());
    }

    /** Whether a text is an address as the server spells those of clients. */
    static boolean isAddress(String text) {
        int length = text.length();
        if (length != IPV4_DIGITS && length != 2 * IPV4_DIGITS) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The fewest bits that a network with an address of these digits may have. */
    public static int bitsMin(String digits) {
        return digits.length() == IPV4_DIGITS ? IPV4_BITS_MIN : IPV6_BITS_MIN;
    }

    /** The network of a stored {@link #key}. */
    static BlockedNetwork of(String key) {
        int slash = key.indexOf('/');
        return new BlockedNetwork(key.substring(0, slash), Integer.parseInt(key.substring(slash + 1)));
    }

    /** The spelling in Redis: one for each network. */
    public String key() {
        return digits + "/" + bits;
    }

    /** The spelling for people: {@code 192.0.2.0/24}, {@code 2001:db8::/32}. */
    public String text() {
        byte[] prefix = HexFormat.of().parseHex(digits);
        return NetUtil.bytesToIpAddress(isV4() ? prefix : Arrays.copyOf(prefix, 16)) + "/" + bits;
    }

    boolean isV4() {
        return digits.length() == IPV4_DIGITS;
    }

    /** The lowest address, unsigned. */
    long first() {
        return Long.parseUnsignedLong(digits, 16);
    }

    /** The highest address, unsigned. */
    long last() {
        int free = digits.length() * BITS_OF_A_DIGIT - bits;
        return first() | (free == 0 ? 0 : -1L >>> (Long.SIZE - free));
    }

    /** Whether an address, as the server spells those of clients, belongs to the network. */
    public boolean contains(String address) {
        return address.length() == digits.length()
                && isAddress(address)
                && first(Long.parseUnsignedLong(address, 16), digits.length() * BITS_OF_A_DIGIT - bits) == first();
    }

    private static long first(long address, int free) {
        return free == 0 ? address : address >>> free << free;
    }
}
