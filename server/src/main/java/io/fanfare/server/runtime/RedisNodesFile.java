package io.fanfare.server.runtime;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.redis.RedisOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code DATA/redis-nodes.yaml}: the nodes of Redis that a service on a data folder knew last, and what its data is
 * like. A process that starts after a failover finds Redis through them when those of {@code redis.url} are away. Holds
 * no password; readable for its owner only.
 *
 * <pre>{@code
 * named: "10.0.0.1:6379"
 * nodes: "10.0.0.1:6379,10.0.0.2:6379"
 * mode: "cluster"
 * shards: "256"
 * }</pre>
 *
 * @param named the nodes of {@code redis.url} of the service
 * @param nodes all nodes, at most {@link RedisOptions#NODES_MAX}
 * @param mode {@code redis.mode}, in lower case
 * @param shards {@code redis.shards}
 */
public record RedisNodesFile(List<String> named, List<String> nodes, String mode, String shards) {
    public static final String NAME = "redis-nodes.yaml";

    public RedisNodesFile {
        named = List.copyOf(named);
        nodes = nodes.stream().limit(RedisOptions.NODES_MAX).toList();
    }

    /** The file for a service with these settings. */
    public static RedisNodesFile of(Settings.Redis settings, List<String> known) {
        return new RedisNodesFile(
                settings.nodes(),
                Stream.concat(known.stream(), settings.nodes().stream())
                        .distinct()
                        .toList(),
                settings.mode().name().toLowerCase(Locale.ROOT),
                Integer.toString(settings.shards()));
    }

    /** Reads the file of a folder; empty when there is none, or none that can be read: Redis is found without it. */
    public static Optional<RedisNodesFile> read(Path data) {
        Path file = data.resolve(NAME);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        SettingsLayer lines = SettingsLayer.file(file);
        RedisNodesFile read = new RedisNodesFile(
                list(lines, "named"), list(lines, "nodes"), text(lines, "mode"), text(lines, "shards"));
        boolean whole = lines.problems().isEmpty()
                && Stream.concat(read.named.stream(), read.nodes.stream())
                        .allMatch(node -> node.matches("([^@/:\\[,\\s]+|\\[[0-9A-Fa-f:.%]+\\]):\\d{1,5}"))
                && Arrays.stream(RedisOptions.Mode.values())
                        .anyMatch(mode -> mode.name().toLowerCase(Locale.ROOT).equals(read.mode))
                && read.shards.matches("\\d{1,4}");
        return whole ? Optional.of(read) : Optional.empty();
    }

    private static List<String> list(SettingsLayer lines, String key) {
        return Arrays.stream(text(lines, key).split(","))
                .filter(node -> !node.isEmpty())
                .toList();
    }

    private static String text(SettingsLayer lines, String key) {
        SettingsLayer.Entry entry = lines.values().get(key);
        return entry == null ? "" : entry.text();
    }

    /** Whether one of these nodes is among those of the file: then it is about the same Redis. */
    public boolean isAbout(List<String> others) {
        return !Collections.disjoint(named, others) || !Collections.disjoint(nodes, others);
    }

    /** Writes the file whole: a reader sees the old one, the new one or none. */
    public void write(Path data) throws IOException {
        String text = "# Written by a running service when the nodes of its Redis change; may be removed.\n"
                + line("named", String.join(",", named))
                + line("nodes", String.join(",", nodes))
                + line("mode", mode)
                + line("shards", shards);
        PrivateFile.write(data.resolve(NAME), text);
    }

    private static String line(String key, String value) {
        return key + ": \"" + value + "\"\n";
    }
}
