package io.fanfare.common.runtime;

/** Where a server that listens is reached from the same machine. */
public final class LocalUrl {
    private LocalUrl() {}

    /**
     * {@code http://host:port} for the address it was told to listen on: names and addresses of IPv4 and, with or
     * without brackets, IPv6.
     */
    public static String of(String host, int port) {
        return "http://" + reachable(host) + ":" + port;
    }

    /** "Every address" is none that a client could ask for. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0", "::", "[::]" -> "localhost";
            default -> host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        };
    }
}
