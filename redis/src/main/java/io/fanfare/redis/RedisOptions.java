package io.fanfare.redis;

import io.fanfare.secret.Secret;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How a {@link RedisLink} reaches its servers. Immutable. A component is the setting of the same name in the group
 * {@code redis}, where the reasons and ranges stand.
 *
 * @param namespace of all keys and channels
 * @param sentinels each as {@code host:port}; empty without {@link Mode#SENTINEL}
 */
public record RedisOptions(
        Secret url,
        Mode mode,
        Namespace namespace,
        List<String> sentinels,
        Secret sentinelPassword,
        Duration connectTimeout,
        Duration commandTimeout,
        int inFlightMax,
        int waitReplicas,
        Duration waitTimeout) {
    /** How many nodes a URL names at most. */
    public static final int NODES_MAX = 64;

    private static final String DEFAULT_PORT = ":6379";

    public RedisOptions {
        sentinels = List.copyOf(sentinels);
    }

    /** Which topology the URL leads to. */
    public enum Mode {
        STANDALONE,
        SENTINEL,
        CLUSTER
    }

    /** The nodes of {@code url}, each as {@code host:port}; none where it leads to a socket, or nowhere. */
    public List<String> nodes() {
        return nodes(url);
    }

    /** The same of a URL that need not be one. */
    public static List<String> nodes(Secret url) {
        String text = url.reveal();
        int begin = text.indexOf("://");
        if (!text.startsWith("redis") || begin < 0) {
            return List.of();
        }
        String authority = text.substring(begin + 3).replaceFirst("/.*$", "");
        return Arrays.stream(authority.substring(authority.lastIndexOf('@') + 1).split(",", -1))
                .map(node -> node.matches(".*:\\d+") ? node : node + DEFAULT_PORT)
                .distinct()
                .toList();
    }

    /** A URL with these nodes behind its own, as many as fit; each as {@code host:port}. */
    public static Secret urlWith(Secret url, List<String> further) {
        List<String> own = nodes(url);
        Set<String> all = new LinkedHashSet<>(own);
        further.stream().limit(Math.max(0, NODES_MAX - own.size())).forEach(all::add);
        return own.isEmpty() || all.size() == own.size() ? url : urlOf(url, String.join(",", all));
    }

    private static Secret urlOf(Secret url, String nodes) {
        String text = url.reveal();
        int host = text.indexOf("://") + 3;
        int slash = text.indexOf('/', host);
        int end = slash < 0 ? text.length() : slash;
        int at = text.lastIndexOf('@', end);
        return new Secret(text.substring(0, Math.max(host, at + 1)) + nodes + text.substring(end));
    }

    /** The same at another address. */
    public RedisOptions at(Secret newUrl) {
        return new RedisOptions(
                newUrl,
                mode,
                namespace,
                sentinels,
                sentinelPassword,
                connectTimeout,
                commandTimeout,
                inFlightMax,
                waitReplicas,
                waitTimeout);
    }

    /** The same at one node of its URL. */
    public RedisOptions alone(String node) {
        return at(urlOf(url, node));
    }

    /** The same in another mode, which is not {@link Mode#SENTINEL}. */
    public RedisOptions as(Mode other) {
        return new RedisOptions(
                url,
                other,
                namespace,
                sentinels,
                sentinelPassword,
                connectTimeout,
                commandTimeout,
                inFlightMax,
                waitReplicas,
                waitTimeout);
    }

    /** The same whose answers may take so long. */
    public RedisOptions patient(Duration answerMax) {
        return new RedisOptions(
                url,
                mode,
                namespace,
                sentinels,
                sentinelPassword,
                connectTimeout,
                answerMax,
                inFlightMax,
                waitReplicas,
                waitTimeout);
    }

    /** The same that waits for so many replicas. */
    public RedisOptions waiting(int replicas, Duration timeout) {
        return new RedisOptions(
                url,
                mode,
                namespace,
                sentinels,
                sentinelPassword,
                connectTimeout,
                commandTimeout,
                inFlightMax,
                replicas,
                timeout);
    }

    /** The same in another namespace. */
    public RedisOptions in(Namespace other) {
        return new RedisOptions(
                url,
                mode,
                other,
                sentinels,
                sentinelPassword,
                connectTimeout,
                commandTimeout,
                inFlightMax,
                waitReplicas,
                waitTimeout);
    }
}
