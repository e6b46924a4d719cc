package io.fanfare.server.runtime;

import io.fanfare.common.settings.Settings;

/** The address at which a server that listens is reached from the same machine. */
public final class LocalUrl {
    private LocalUrl() {}

    /**
     * {@code http://host:port} for the address on which it listens: names and addresses of IPv4 and, with or without
     * brackets, IPv6.
     */
    public static String of(String host, int port) {
        return "http://" + reachable(host) + ":" + port;
    }

    /** The same for the public server on this port: {@code https://} when it speaks TLS. */
    public static String of(Settings.Http http, int port) {
        return (http.tls().isSet() ? "https://" : "http://") + reachable(http.host()) + ":" + port;
    }

    /** "Every address" is none that a client could ask for. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0", "::", "[::]" -> "localhost";
            default -> host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        };
    }
}
