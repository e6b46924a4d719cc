package io.fanfare.common.testing;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which package may import which: the table that {@link ArchitectureRules} holds every class to, and that
 * docs/architecture.md, section 8, draws. Names are written without {@code io.fanfare.}. A package may import the
 * packages in its row, and all that these may import.
 */
public final class PackageImports {
    private static final Map<String, Set<String>> ROWS = new TreeMap<>();

    static {
        row("failure");
        row("secret");
        row("vertx");
        row("redis", "failure", "secret", "vertx");
        row("redis.embedded", "redis");

        row("common.id");
        row("common.settings", "redis");
        row("common.model", "common.id");
        row("common.archive", "common.settings", "common.model");
        row("common.disk", "common.settings", "common.model");
        row("common.text", "common.model");
        row("common.keyspace", "common.id", "redis");
        row("common.queue", "common.settings", "common.keyspace");
        row("common.event", "common.settings", "common.keyspace", "common.model");
        row("common.auth", "common.queue", "common.keyspace", "common.model");
        row("common.push", "common.auth");
        row("common.view", "common.text");
        row("common.event.body", "common.event", "common.view");
        row("common.store", "common.push", "common.queue", "common.view", "common.archive");
        row("common.feed", "common.store");
        row("common.publish", "common.store", "common.event.body");
        row("common.action", "common.feed", "common.publish");

        row("server.http", "common.auth", "common.view", "media");
        row("server.runtime", "server.http", "common.store");

        row("api.account", "common.feed");
        row("api.article", "common.feed");
        row("api.instance", "common.store");
        row("api.notification", "common.store");
        row("api.post", "common.store");
        row("api.report", "common.keyspace", "common.model", "redis");
        row("api.endpoint", "server.http", "common.action");
        row("api.request", "server.http", "api.account", "api.article", "common.action");
        row("api.oauth", "api.endpoint", "api.request", "api.instance");
        row("web", "common.text");
        row("api.search", "common.store", "common.disk", "common.event");
        row("api.export", "common.action", "media", "api.oauth", "api.post");
        row("api.routes", "api.export", "api.search", "api.notification", "api.report", "web");
        row("api", "api.routes", "common.disk", "server.runtime");
        row("media", "common.store");
        row("archive", "common.archive");
        row("verify", "common.feed");
        row("worker.account", "common.action");
        row("worker.poll", "common.action");
        row("worker.push", "common.store");
        row("worker.handler", "worker.account", "worker.poll", "worker.push", "common.disk", "media");
        row("worker", "worker.handler", "verify");
        row("stream.match", "common.text");
        row("stream.wire", "stream.match", "common.event");
        row("stream.filter", "stream.wire", "common.store");
        row("stream.relay", "stream.filter", "common.event.body");
        row("stream.session", "stream.relay", "server.http");
        row("stream.access", "stream.session");
        row("stream.routes", "stream.access");
        row("stream", "stream.routes", "server.runtime");

        row("bench.input");
        row("bench.report", "redis.embedded");
        row("bench.load", "bench.input", "bench.report", "api", "worker", "stream");
        row("bench.peer", "bench.load");
        row("bench.scenario", "bench.peer", "archive");
        row("bench.replay", "bench.load", "app.listen", "app.operate", "archive");
        row("bench.compare", "bench.report");
        row("bench", "bench.compare", "bench.scenario", "bench.replay", "app");
        row("app.listen", "server.runtime", "common.event");
        row("app.backup", "server.runtime", "redis.embedded", "archive");
        row(
                "app.operate",
                "common.action",
                "server.runtime",
                "redis.embedded",
                "verify",
                "archive",
                "api.account",
                "api.instance",
                "api.report");
        row("app.console", "app.operate", "web");
        row("app", "api", "worker", "stream", "app.listen", "app.backup", "app.console");
    }

    private PackageImports() {}

    private static void row(String importing, String... imported) {
        ROWS.put(importing, Set.of(imported));
    }

    /** The rows as they stand: package to the packages that its arrows lead to. */
    public static Map<String, Set<String>> rows() {
        return Map.copyOf(ROWS);
    }

    /** All that a package may import, itself included; empty when the table does not have it. */
    public static Set<String> allowed(String importing) {
        Set<String> allowed = new TreeSet<>();
        if (ROWS.containsKey(importing)) {
            add(importing, allowed);
        }
        return allowed;
    }

    private static void add(String name, Set<String> allowed) {
        if (allowed.add(name)) {
            Set<String> row = ROWS.get(name);
            if (row == null) {
                throw new IllegalStateException(name + " has no row");
            }
            List.copyOf(row).forEach(next -> add(next, allowed));
        }
    }
}
