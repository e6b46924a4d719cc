package io.fanfare.app.migrate;

import io.fanfare.redis.RedisOptions;
import io.fanfare.secret.Secret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The address of the Redis that the data move to, and its password, which never stands in the address. */
public final class TargetUrl {
    private TargetUrl() {}

    /** Why the address of {@code --to} is not accepted, as a sentence; empty = it is. */
    public static String fault(String url) {
        if (!url.matches("(redis|rediss|unix)://.+")) {
            return "--to must begin with redis://, rediss:// or unix://, as redis.url does";
        }
        if (login(url).contains(":")) {
            return "--to has a password, which others on this machine can read in the list of processes: leave it out"
                    + " (redis://USER@HOST), and give it in the environment as FANFARE_TARGET_PASSWORD or in a file"
                    + " with --to-password-file; then change it, for it has been shown";
        }
        return "";
    }

    /** The address with the password, as {@code redis.url} is. */
    public static Secret with(String url, Secret password) {
        if (!password.isSet()) {
            return new Secret(url);
        }
        int begin = url.indexOf("://") + 3;
        String place = place(url);
        String encoded =
                URLEncoder.encode(password.reveal(), StandardCharsets.UTF_8).replace("+", "%20");
        return new Secret(url.substring(0, begin) + login(url) + ":" + encoded + "@" + place);
    }

    /** An address of {@code redis.url} as people may see it: without user and password. */
    public static String shown(RedisOptions options) {
        String url = options.url().reveal();
        return url.substring(0, url.indexOf("://") + 3) + place(url);
    }

    private static String login(String url) {
        String rest = url.substring(url.indexOf("://") + 3);
        int at = rest.lastIndexOf('@');
        return at < 0 ? "" : rest.substring(0, at);
    }

    private static String place(String url) {
        String rest = url.substring(url.indexOf("://") + 3);
        return rest.substring(rest.lastIndexOf('@') + 1);
    }
}
