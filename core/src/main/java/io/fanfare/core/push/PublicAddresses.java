package io.fanfare.core.push;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Public addresses of the internet: connections on behalf of users must not reach the machines around the server
 * (server-side request forgery). By the special-purpose registries of IANA, and strict: an address that is not known to
 * be public is not.
 */
public final class PublicAddresses {
    private static final List<Network> NOT_PUBLIC = List.of(
            Network.of("0.0.0.0", 8),
            Network.of("10.0.0.0", 8),
            Network.of("100.64.0.0", 10),
            Network.of("127.0.0.0", 8),
            Network.of("169.254.0.0", 16),
            Network.of("172.16.0.0", 12),
            Network.of("192.0.0.0", 24),
            Network.of("192.0.2.0", 24),
            Network.of("192.31.196.0", 24),
            Network.of("192.52.193.0", 24),
            Network.of("192.88.99.0", 24),
            Network.of("192.168.0.0", 16),
            Network.of("192.175.48.0", 24),
            Network.of("198.18.0.0", 15),
            Network.of("198.51.100.0", 24),
            Network.of("203.0.113.0", 24),
            Network.of("224.0.0.0", 3),
            Network.of("2001::", 23),
            Network.of("2001:db8::", 32),
            // Addresses of the other version lie inside of these.
            Network.of("2002::", 16),
            Network.of("3fff::", 20));

    private static final Network GLOBAL_UNICAST = Network.of("2000::", 3);

    /** Addresses in networks without IPv4 of their own: the last 32 bits are an IPv4 address. */
    private static final Network TRANSLATED = Network.of("64:ff9b::", 96);

    private PublicAddresses() {}

    /** Whether this address is one of the public internet, of either version; mapped addresses are what they map. */
    public static boolean contain(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet6Address) {
            if (TRANSLATED.contains(bytes)) {
                return contain(inet4(Arrays.copyOfRange(bytes, 12, 16)));
            }
            if (!GLOBAL_UNICAST.contains(bytes)) {
                return false;
            }
        }
        return NOT_PUBLIC.stream().noneMatch(network -> network.contains(bytes));
    }

    private static InetAddress inet4(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The addresses that begin with the same bits. */
    private static final class Network {
        private final byte[] start;
        private final int bits;

        private Network(byte[] start, int bits) {
            this.start = start;
            this.bits = bits;
        }

        static Network of(String address, int bits) {
            return new Network(NetUtil.createByteArrayFromIpAddressString(address), bits);
        }

        boolean contains(byte[] address) {
            if (address.length != start.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i % 8);
                if ((address[i / 8] & mask) != (start[i / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
