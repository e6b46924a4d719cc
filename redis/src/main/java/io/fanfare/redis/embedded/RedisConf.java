package io.fanfare.redis.embedded;

import io.fanfare.secret.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The redis.conf of our own servers: what of it we read back.
 *
 * @param port 0 = it listens on the socket only
 * @param socket null = it has none
 * @param password empty = none
 */
record RedisConf(int port, Path socket, Secret password) {
    /** {@code busPort} is the cluster's; 0 = no cluster. The file is readable for its owner only. */
    static void write(Path file, Path dir, int port, int busPort, RedisProcess.Options options) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("port " + port);
        if (options.socket() != null) {
            lines.add("unixsocket " + quoted(options.socket().toString()));
            lines.add("unixsocketperm 700");
        }
        lines.add("bind 127.0.0.1 -::1");
        lines.add("protected-mode yes");
        lines.add("dir " + quoted(dir.toString()));
        lines.add("pidfile " + quoted(dir.resolve("redis.pid").toString()));
        lines.add("daemonize no");
        // The command line goes on naming this file: how a server that does not answer is known to be ours.
        lines.add("set-proc-title no");
        if (options.password().isSet()) {
            lines.add("requirepass " + quoted(options.password().reveal()));
        }
        // Durability is the append-only file; snapshots would only double the writing.
        lines.add("save \"\"");
        boolean keepsFile = options.appendSync() != RedisProcess.AppendSync.OFF;
        lines.add("appendonly " + (keepsFile ? "yes" : "no"));
        if (keepsFile) {
            lines.add("appendfsync " + options.appendSync());
        }
        // Feeds and jobs are not a cache: a full server refuses, it never forgets.
        lines.add("maxmemory " + options.maxMemoryBytes());
        lines.add("maxmemory-policy noeviction");
        // A status is a hash of few fields, one of which is its text: one allocation instead of a table.
        lines.add("hash-max-listpack-value 2048");
        // An hour of notices, or a home, is freed in the background when it expires: a hash of a million fields would
        // stop the server for a second.
        lines.add("lazyfree-lazy-expire yes");
        lines.add("lazyfree-lazy-user-del yes");
        lines.add("lazyfree-lazy-server-del yes");
        // `fanfare backup` begins at once, and without a file of the server's.
        lines.add("repl-diskless-sync yes");
        lines.add("repl-diskless-sync-delay 0");
        // A relay that stalls is cut off, and reads the gap from the log later.
        lines.add("client-output-buffer-limit pubsub 256mb 64mb 60");
        if (options.cluster()) {
            lines.add("cluster-enabled yes");
            lines.add("cluster-port " + busPort);
            lines.add("cluster-config-file nodes.conf");
        }
        lines.addAll(options.extraLines());
        Files.deleteIfExists(file);
        PrivateFiles.create(file);
        Files.write(file, lines, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
    }

    static RedisConf read(Path file) throws IOException {
        int port = 0;
        Path socket = null;
        String password = "";
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (line.startsWith("port ")) {
                port = Integer.parseInt(line.substring(5));
            } else if (line.startsWith("unixsocket ")) {
                socket = Path.of(unquoted(line.substring("unixsocket ".length())));
            } else if (line.startsWith("requirepass ")) {
                password = unquoted(line.substring("requirepass ".length()));
            }
        }
        return new RedisConf(port, socket, new Secret(password));
    }

    private static String quoted(String value) {
        if (value.chars().anyMatch(c -> c < ' ')) {
            throw new IllegalArgumentException("control character in a value for redis.conf");
        }
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String unquoted(String value) {
        return value.substring(1, value.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\");
    }
}
