package io.fanfare.server.http;

import io.fanfare.common.settings.Settings;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The client address by which limits count requests: an IPv4 address, or the first 64 bits of an IPv6 address, which is
 * what one customer is given. {@code X-Forwarded-For} is believed only as far as the proxies of
 * {@code http.trusted-proxies} wrote it, from its right end on: anybody can have written the addresses left of the
 * first one that is no such proxy. Immutable.
 */
public final class ClientAddress {
    static final CharSequence FORWARDED_FOR = HttpHeaders.createOptimized("X-Forwarded-For");

    private static final int IPV6_CUSTOMER_BYTES = 8;

    /** Hex digits of the networks that one customer of IPv6 may be given as well: a /56 and a /48. */
    private static final List<Integer> IPV6_WIDER_DIGITS = List.of(14, 12);

    private static final int IPV4_BYTES = 4;
    private static final int IPV4_DIGITS = 8;
    private static final int IPV4_NETWORK_DIGITS = 6;
    private static final String UNKNOWN = "unknown";

    private final List<Network> trusted;

    /** @param trustedProxies as {@code Settings.Http} has checked it */
    public ClientAddress(String trustedProxies) {
        this.trusted = parse(trustedProxies);
    }

    /** Hex digits: 8 for IPv4, 16 for IPv6. */
    public String of(HttpServerRequest request) {
        return text(bytesOf(request));
    }

    /** The network of the address as people write it, a /24 or a /48; empty when it is not known. */
    public String shownNetwork(HttpServerRequest request) {
        return shownNetwork(bytesOf(request));
    }

    static String shownNetwork(byte[] address) {
        if (address == null) {
            return "";
        }
        int kept = address.length == IPV4_BYTES ? IPV4_NETWORK_DIGITS / 2 : IPV6_WIDER_DIGITS.get(1) / 2;
        byte[] network = Arrays.copyOf(Arrays.copyOf(address, kept), address.length);
        return NetUtil.bytesToIpAddress(network) + "/" + kept * Byte.SIZE;
    }

    /** The whole address as people write it. */
    public String numeric(HttpServerRequest request) {
        byte[] address = bytesOf(request);
        return address == null ? UNKNOWN : NetUtil.bytesToIpAddress(address);
    }

    private byte[] bytesOf(HttpServerRequest request) {
        String peer =
                request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
        return of(peer, request.headers().getAll(FORWARDED_FOR));
    }

    /**
     * The address and the networks around it that one customer may have: of an IPv6 address its /64, /56 and /48; of
     * others only itself. An IPv6 address costs nothing, so what is counted by /64 alone is counted for nobody.
     *
     * @param address as {@link #of} answers it
     */
    public static List<String> customers(String address) {
        if (address.length() != 2 * IPV6_CUSTOMER_BYTES) {
            return List.of(address);
        }
        List<String> all = new ArrayList<>(List.of(address));
        IPV6_WIDER_DIGITS.forEach(digits -> all.add(address.substring(0, digits)));
        return all;
    }

    /** The /56 of an IPv6 address, which many providers give to a household; of others the address itself. */
    public static String household(String address) {
        return address.length() == 2 * IPV6_CUSTOMER_BYTES ? address.substring(0, IPV6_WIDER_DIGITS.get(0)) : address;
    }

    /** The widest network that is counted together: the /48 of an IPv6 address, the /24 of an IPv4 address. */
    public static String network(String address) {
        return switch (address.length()) {
            case 2 * IPV6_CUSTOMER_BYTES -> address.substring(0, IPV6_WIDER_DIGITS.get(1));
            case IPV4_DIGITS -> address.substring(0, IPV4_NETWORK_DIGITS);
            default -> address;
        };
    }

    /** The same of a connection, before its first request; null for a trusted proxy, whose connections are others'. */
    public String ofPeer(SocketAddress peer) {
        byte[] address = peer == null ? null : bytes(peer.hostAddress());
        return address != null && isTrusted(address) ? null : text(address);
    }

    /**
     * A CIDR block (RFC 4632), such as {@code 192.0.2.0/24}. An IPv4 address alone is a block of one, an IPv6 address
     * alone stands for its /64.
     *
     * @param digits as {@link #of} answers them
     */
    public record CidrBlock(String digits, int bits) {
        /** Empty = neither an address nor a network, or a part of an IPv6 customer's /64. */
        public static Optional<CidrBlock> of(String text) {
            String[] parts = text.split("/", 2);
            byte[] address = bytes(parts[0]);
            if (address == null || (parts.length == 2 && !parts[1].matches("\\d{1,3}"))) {
                return Optional.empty();
            }
            int all = address.length == 4 ? 8 * address.length : 8 * IPV6_CUSTOMER_BYTES;
            int bits = parts.length == 2 ? Integer.parseInt(parts[1]) : all;
            return bits > all ? Optional.empty() : Optional.of(new CidrBlock(text(address), bits));
        }
    }

    /** Whether the peer of a connection is named as a proxy whose X-Forwarded-For is believed. */
    boolean trusts(SocketAddress peer) {
        byte[] address = peer == null ? null : bytes(peer.hostAddress());
        return address != null && isTrusted(address);
    }

    /**
     * The machine itself: a proxy that {@code http.trusted-proxies} does not name, behind which everybody would be one,
     * or the operator.
     */
    public static boolean isOwn(String address) {
        boolean v4 = address.length() == 8 && address.startsWith("7f");
        return v4 || address.equals("0000000000000000");
    }

    /** The address itself; null when the peer has none. */
    byte[] of(String peer, List<String> forwardedFor) {
        byte[] address = bytes(peer);
        if (address == null || !isTrusted(address)) {
            return address;
        }
        String[] hops = String.join(",", forwardedFor).split(",", -1);
        for (int i = hops.length - 1; i >= 0 && isTrusted(address); i--) {
            byte[] hop = bytes(withoutPort(hops[i].strip()));
            if (hop == null) {
                return address;
            }
            address = hop;
        }
        return address;
    }

    static String text(byte[] address) {
        if (address == null) {
            return UNKNOWN;
        }
        HexFormat hex = HexFormat.of();
        return address.length == 4 ? hex.formatHex(address) : hex.formatHex(address, 0, IPV6_CUSTOMER_BYTES);
    }

    private boolean isTrusted(byte[] address) {
        for (Network network : trusted) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Addresses that begin alike. */
    private record Network(List<Byte> prefix, int bits) {
        boolean contains(byte[] address) {
            if (address.length != prefix.size()) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                if ((address[bit / 8] & mask) != (prefix.get(bit / 8) & mask)) {
                    return false;
                }
            }
            return true;
        }

        /** An {@link IllegalArgumentException} for what is no address, with or without the length of a prefix. */
        static Network of(String text) {
            String[] parts = text.split("/", 2);
            byte[] address = bytes(parts[0]);
            int all = address == null ? 0 : address.length * 8;
            int bits = parts.length == 1 ? all : Integer.parseInt(parts[1]);
            if (address == null || bits < 0 || bits > all) {
                throw new IllegalArgumentException(text);
            }
            List<Byte> prefix = new ArrayList<>(address.length);
            for (byte b : address) {
                prefix.add(b);
            }
            return new Network(List.copyOf(prefix), bits);
        }
    }

    private static List<Network> parse(String list) {
        return Arrays.stream(list.split("[,\\s]+"))
                .filter(text -> !text.isEmpty() && !text.equals(Settings.Http.NO_PROXY))
                .map(Network::of)
                .toList();
    }

    /** Null for what is no numeric address; never asks the DNS. An IPv4 address in IPv6 clothes is an IPv4 address. */
    private static byte[] bytes(String text) {
        byte[] address = text == null ? null : NetUtil.createByteArrayFromIpAddressString(text);
        boolean mapped = address != null && address.length == 16;
        for (int i = 0; mapped && i < 12; i++) {
            mapped = address[i] == (byte) (i < 10 ? 0 : 0xff);
        }
        return mapped ? Arrays.copyOfRange(address, 12, 16) : address;
    }

    /** {@code 10.0.0.1:8080} and {@code [::1]:8080}, as some proxies write. */
    private static String withoutPort(String hop) {
        if (hop.startsWith("[")) {
            int close = hop.indexOf(']');
            return close < 0 ? hop : hop.substring(1, close);
        }
        int colon = hop.indexOf(':');
        return colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
    }
}
