package io.fanfare.app;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What this machine is called by those who reach it.
 *
 * @param names of the DNS, in lower case: {@code localhost} first
 * @param addresses numeric, as {@link InetAddress#getHostAddress} writes them, without a zone; at most
 *     {@link #ADDRESSES_MAX}
 */
record MachineNames(List<String> names, List<String> addresses) {
    private static final int ADDRESSES_MAX = 64;
    private static final String LOCALHOST = "localhost";
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    /** Reserved for documentation (RFC 5737): a way to it is the way to everywhere. Nothing is sent. */
    private static final String ELSEWHERE = "192.0.2.1";

    private static final int DISCARD_PORT = 9;

    MachineNames {
        names = List.copyOf(names);
        addresses = List.copyOf(addresses);
    }

    /** As it is now; addresses that need a zone are left out, since no URL can name them. */
    static MachineNames now() throws IOException {
        Set<String> names = new LinkedHashSet<>(List.of(LOCALHOST));
        String host = hostName();
        if (NAME.matcher(host).matches()) {
            // One label alone could be a top-level domain, of which the CA would then be: "dev", "cloud". With .local
            // it
            // is as the machine is announced on the local network, where it is.
            names.add(host.contains(".") ? host : host + ".local");
        }
        Set<String> addresses = new LinkedHashSet<>(List.of("127.0.0.1", "0:0:0:0:0:0:0:1"));
        Set<String> outer = new TreeSet<>();
        for (NetworkInterface face : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(face.getInetAddresses())) {
                boolean needsZone = address.isLinkLocalAddress() && !(address instanceof Inet4Address);
                if (face.isUp() && !address.isLoopbackAddress() && !needsZone) {
                    outer.add(withoutZone(address));
                }
            }
        }
        addresses.addAll(outer);
        return new MachineNames(
                List.copyOf(names), addresses.stream().limit(ADDRESSES_MAX).toList());
    }

    /** The same with a host, of whatever kind, that it is called by as well; empty and wildcards add nothing. */
    MachineNames and(String host) {
        String bare = host.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
        boolean numeric = NetUtil.isValidIpV4Address(bare) || NetUtil.isValidIpV6Address(bare);
        Set<String> allNames = new LinkedHashSet<>(names);
        Set<String> allAddresses = new LinkedHashSet<>(addresses);
        if (numeric) {
            InetAddress address = NetUtil.createInetAddressFromIpAddressString(bare);
            if (!address.isAnyLocalAddress()) {
                allAddresses.add(withoutZone(address));
            }
        } else if (NAME.matcher(bare).matches()) {
            allNames.add(bare);
        }
        return new MachineNames(List.copyOf(allNames), List.copyOf(allAddresses));
    }

    /**
     * The address by which others on the network reach the machine: that of the way to everywhere, else the first of
     * IPv4 that is not its own; {@code localhost} when it is on no network.
     */
    String reachable() {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(NetUtil.createInetAddressFromIpAddressString(ELSEWHERE), DISCARD_PORT);
            String address = withoutZone(socket.getLocalAddress());
            if (addresses.contains(address)) {
                return address;
            }
        } catch (IOException | RuntimeException noWay) {
            // Then one of its addresses.
        }
        return addresses.stream()
                .filter(address -> NetUtil.isValidIpV4Address(address) && !address.startsWith("127."))
                .findFirst()
                .orElse(LOCALHOST);
    }

    private static String hostName() throws IOException {
        // Not the JDK first: it asks the DNS, for seconds where that is away.
        Path kernel = Path.of("/proc/sys/kernel/hostname");
        String name;
        if (Files.isReadable(kernel)) {
            name = Files.readString(kernel);
        } else {
            try {
                name = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                name = "";
            }
        }
        return name.strip().toLowerCase(Locale.ROOT);
    }

    private static String withoutZone(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }
}
