package io.fanfare.redis;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The address in {@code redis.url}, with sentinels the name of the master in the place of the host:
 * {@code redis://[user]:[password]@host:port[,host:port...][/db]}; {@code rediss://} for TLS, where the server's
 * certificate and name are checked against the trust store of the JVM; or
 * {@code unix://[user]:[password]@/path/of/a/socket} for a server on this machine.
 *
 * <p>Several hosts, with commas between, are nodes of one cluster, or servers of which one is the master.
 *
 * @param address the first host
 * @param nodes all hosts
 * @param user empty = the default user
 * @param password empty = no AUTH
 */
record NodeAddress(Address address, List<Address> nodes, boolean tls, String user, String password, int db) {
    /**
     * A server; IPv6 addresses without brackets. The port is 0 where the host is the path of a Unix socket, or the name
     * of a master.
     */
    record Address(String host, int port) {
        /** The socket with this absolute path. */
        static Address ofSocket(String path) {
            return new Address(path, 0);
        }

        /** The server, whichever it is, that sentinels know by this name. */
        static Address ofMaster(String name) {
            return new Address(name, 0);
        }

        boolean isSocket() {
            return host.startsWith("/");
        }

        /**
         * As in {@code MOVED 3999 127.0.0.1:6381}; the last colon parts host and port. An empty host stands for that of
         * the sender.
         */
        static Address parse(String text, Address sender) {
            if (text.startsWith("/")) {
                return ofSocket(text);
            }
            int colon = text.lastIndexOf(':');
            if (colon < 0) {
                return ofMaster(text);
            }
            String host = text.substring(0, colon);
            return new Address(host.isEmpty() ? sender.host : host, Integer.parseInt(text.substring(colon + 1)));
        }

        @Override
        public String toString() {
            return port == 0 ? host : host + ":" + port;
        }
    }

    /** The first command of a connection; empty when there is no password. */
    Optional<Command> auth() {
        if (password.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                user.isEmpty() ? Command.routed("AUTH", null, password) : Command.routed("AUTH", null, user, password));
    }

    /**
     * Fails with an {@link IllegalArgumentException} that says what is wrong with the setting, without repeating it: it
     * holds a password.
     */
    static NodeAddress of(RedisOptions options) {
        URI uri;
        try {
            // Of several nodes java.net.URI makes no host.
            uri = URI.create(
                    (options.nodes().size() > 1 ? options.alone(options.nodes().get(0)) : options)
                            .url()
                            .reveal());
        } catch (IllegalArgumentException e) {
            throw refused("is not a URL; special characters in the password must be percent-encoded");
        }
        if ("unix".equals(uri.getScheme())) {
            return socket(uri, options.mode());
        }
        boolean tls = "rediss".equals(uri.getScheme());
        if (!tls && !"redis".equals(uri.getScheme())) {
            throw refused("must begin with redis://, rediss:// or unix://");
        }
        if (options.mode() == RedisOptions.Mode.SENTINEL) {
            return master(uri, tls);
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        List<Address> nodes = options.nodes().stream().map(NodeAddress::node).toList();
        if (nodes.stream().anyMatch(node -> node.host().isEmpty())) {
            throw refused("has no host");
        }
        String[] login = login(at < 0 ? "" : authority.substring(0, at));
        int db = database(uri.getPath());
        if (db != 0 && options.mode() == RedisOptions.Mode.CLUSTER) {
            throw refused("names database " + db + ", but a cluster has only database 0");
        }
        return new NodeAddress(nodes.get(0), nodes, tls, login[0], login[1], db);
    }

    private static Address node(String text) {
        int colon = text.lastIndexOf(':');
        return new Address(
                text.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(text.substring(colon + 1)));
    }

    /** Reads a URI whose host is a master's name. java.net.URI takes no name with an underscore for a host. */
    private static NodeAddress master(URI uri, boolean tls) {
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        String name = authority.substring(at + 1);
        if (!name.matches("[A-Za-z0-9._-]+")) {
            throw refused("must have the name of the master, without a port, in the place of the host: "
                    + "redis.mode is sentinel");
        }
        String[] login = login(at < 0 ? "" : authority.substring(0, at));
        Address address = Address.ofMaster(name);
        return new NodeAddress(address, List.of(address), tls, login[0], login[1], database(uri.getPath()));
    }

    /** The servers of {@code redis.sentinels}. */
    static List<Address> sentinels(RedisOptions options) {
        return options.sentinels().stream().map(NodeAddress::node).toList();
    }

    private static NodeAddress socket(URI uri, RedisOptions.Mode mode) {
        if (mode != RedisOptions.Mode.STANDALONE) {
            throw refused("is a Unix socket, but redis.mode is " + mode.name().toLowerCase(Locale.ROOT)
                    + ": its servers are reached by host and port");
        }
        // Of unix://user:password@/path the authority has no host, so that java.net.URI does not look into it.
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        String[] login = login(authority.isEmpty() ? "" : authority.substring(0, authority.lastIndexOf('@')));
        Address address = Address.ofSocket(uri.getPath());
        return new NodeAddress(address, List.of(address), false, login[0], login[1], 0);
    }

    /** User name and password, either empty. Parted while still encoded: a user name may hold a colon. */
    private static String[] login(String rawUserInfo) {
        String[] parts = rawUserInfo == null ? new String[] {""} : rawUserInfo.split(":", 2);
        return new String[] {decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1])};
    }

    /** Percent-decoded; a plus is a plus, as everywhere before the query of a URL. */
    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static int database(String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        try {
            return Integer.parseUnsignedInt(path.substring(1));
        } catch (NumberFormatException e) {
            throw refused("ends in something that is not the number of a database");
        }
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("redis.url " + why);
    }

    /** Why none of them could be reached, with the reason of each; the kind says whether that may pass. */
    static RedisError noneOf(List<RedisError> reasons) {
        if (reasons.size() == 1) {
            return reasons.get(0);
        }
        RedisError.Kind kind = reasons.stream()
                .filter(RedisError::passing)
                .findFirst()
                .orElse(reasons.get(0))
                .kind();
        return new RedisError(
                kind,
                "none of the nodes of redis.url can be used: "
                        + String.join(
                                "; ",
                                reasons.stream().map(RedisError::getMessage).toList()));
    }

    /** Hides the password. */
    @Override
    public String toString() {
        return address.toString();
    }
}
