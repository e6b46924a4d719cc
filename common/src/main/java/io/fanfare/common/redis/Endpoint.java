package io.fanfare.common.redis;

import io.fanfare.common.settings.Settings;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * What {@code redis.url} says: {@code redis://[user]:[password]@host:port[/db]}, or {@code rediss://} for TLS, where the server's certificate and name are checked against
 * the trust store of the JVM.
 *
 * @param user empty = the default user
 * @param password empty = no AUTH
 */
record Endpoint(Address address, boolean tls, String user, String password, int db) {
    private static final int DEFAULT_PORT = 6379;

    /** A server; IPv6 addresses without brackets. */
    record Address(String host, int port) {
        /** As in {@code MOVED 3999 127.0.0.1:6381}; the last colon parts host and port. An empty host stands for the one that was asked. */
        static Address parse(String text, Address asked) {
            int colon = text.lastIndexOf(':');
            String host = text.substring(0, colon);
            return new Address(host.isEmpty() ? asked.host : host, Integer.parseInt(text.substring(colon + 1)));
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** Fails with an {@link IllegalArgumentException} that says what is wrong with the setting, without repeating it: it holds a password. */
    static Endpoint of(Settings.Redis settings) {
        URI uri;
        try {
            uri = URI.create(settings.url().reveal());
        } catch (IllegalArgumentException e) {
            throw refused("is not a URL; special characters in the password must be percent-encoded");
        }
        boolean tls = "rediss".equals(uri.getScheme());
        if (!tls && !"redis".equals(uri.getScheme())) {
            throw refused("must begin with redis:// or rediss://");
        }
        if (uri.getHost() == null) {
            throw refused("has no host");
        }
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        // Parted while still encoded: a user name may hold a colon.
        String userInfo = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
        int colon = userInfo.indexOf(':');
        int db = database(uri.getPath());
        if (db != 0 && settings.mode() == Settings.Redis.Mode.CLUSTER) {
            throw refused("names database " + db + ", but a cluster has only database 0");
        }
        return new Endpoint(
                new Address(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort()),
                tls,
                decoded(colon < 0 ? userInfo : userInfo.substring(0, colon)),
                decoded(colon < 0 ? "" : userInfo.substring(colon + 1)),
                db);
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

    /** Hides the password. */
    @Override
    public String toString() {
        return address.toString();
    }
}
