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

        row("client.model");
        row("client.error");
        row("client.http", "client.error");
        row("client.stream", "client.http", "client.model");
        row("client", "client.stream");
        row("junit5", "client");

        row("common.id");
        row("common.settings", "redis");
        row("common.model", "common.id");
        row("common.archive", "common.settings", "common.model");
        row("common.text", "common.model");
        row("common.keyspace", "common.id", "redis");
        row("common.queue", "common.keyspace");
        row("common.event", "common.settings", "common.keyspace", "common.model");
        row("common.auth", "common.queue", "common.keyspace", "common.model");
        row("common.siteblock", "common.keyspace", "common.model");
        row("common.push");
        row("common.view", "common.text");
        row("common.event.body", "common.event", "common.view");
        row("common.store", "common.push", "common.auth", "common.view", "common.archive");

        row("core.mail", "common.store");
        row("core.queue", "core.mail", "common.settings");
        row("core.disk", "common.settings", "common.model");
        row("core.language", "common.text");
        row("core.push", "common.auth");
        row("core.account", "common.auth");
        row("core.factor", "common.auth");
        row("core.site", "common.keyspace", "common.model", "common.text");
        row("core.moderation", "core.graph", "core.account");
        row("core.archive", "common.store");
        row("core.emoji", "common.store");
        row("core.poll", "common.store");
        row("core.feed", "common.store");
        row("core.schedule", "common.store");
        row("core.view", "core.poll");
        row("core.notification", "core.view", "common.event.body");
        row("core.conversation", "core.view", "common.event.body");
        row("core.graph", "core.feed", "core.notification", "core.queue");
        row("core.favourite", "core.graph");
        row("core.post", "core.conversation", "core.graph", "core.language");
        row("core", "common.siteblock", "core.emoji", "core.favourite", "core.post");
        row("core.held", "core", "core.schedule");
        row("core.posting", "core.held");

        row("server.http", "common.auth", "common.siteblock", "common.view", "media");
        row("server.runtime", "server.http", "common.store");

        row("web", "common.text");
        row("api.endpoint", "server.http", "core.disk", "core.posting");
        row("api.render", "api.endpoint");
        row("api.feature", "api.render", "core.moderation", "core.site", "server.runtime", "web");
        row("api.oauth", "api.feature", "core.account");
        row("api.challenge", "api.feature");
        row("api.conversation", "api.feature");
        row("api.filter", "api.feature");
        row("api.list", "api.feature");
        row("api.notification", "api.feature");
        row("api.poll", "api.feature");
        row("api.push", "api.feature", "core.push");
        row("api.mail", "api.oauth");
        row("api.report", "api.feature");
        row("api.factor", "api.oauth", "core.factor");
        row("api.moderation", "api.report");
        row("api.schedule", "api.feature");
        row("api.siteblock", "api.feature");
        row("api.held", "api.schedule");
        row("api.tag", "api.feature");
        row("api.search", "api.tag");
        row("api.post", "api.schedule", "api.poll");
        row("api.media", "api.post");
        row("api.account", "api.oauth", "api.post");
        row("api.graph", "api.account");
        row("api.timeline", "api.post");
        row("api.export", "api.oauth", "api.post", "api.tag");
        row("api.instance", "api.oauth", "api.tag", "api.timeline");
        row("api.web", "api.oauth");
        row("api.site", "api.web");
        row("api.article", "api.post", "api.web");
        row(
                "api",
                "api.article",
                "api.challenge",
                "api.conversation",
                "api.export",
                "api.factor",
                "api.filter",
                "api.graph",
                "api.held",
                "api.instance",
                "api.list",
                "api.mail",
                "api.media",
                "api.moderation",
                "api.notification",
                "api.push",
                "api.search",
                "api.site",
                "api.siteblock");
        row("media", "common.store");
        row("archive", "common.archive");
        row("verify", "core.graph", "core.conversation", "core.schedule");
        row("worker.handler", "core", "core.disk", "media");
        row("worker.account", "worker.handler", "core.account", "core.moderation", "core.held");
        row("worker.held", "worker.handler", "core.held");
        row("worker.feed", "worker.handler");
        row("worker.graph", "worker.handler");
        row("worker.mail", "worker.handler");
        row("worker.media", "worker.handler");
        row("worker.moderation", "worker.handler", "core.moderation");
        row("worker.poll", "worker.handler");
        row("worker.post", "worker.handler", "core.posting");
        row("worker.push", "worker.handler", "core.push");
        row(
                "worker",
                "worker.account",
                "worker.feed",
                "worker.graph",
                "worker.held",
                "worker.mail",
                "worker.media",
                "worker.moderation",
                "worker.poll",
                "worker.post",
                "worker.push",
                "core.archive",
                "verify");
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
        row("bench.scenario", "bench.peer", "bench.replay");
        row("bench.replay", "bench.load", "client", "app.operate", "archive");
        row("bench.compare", "bench.report");
        row("bench", "bench.compare", "bench.scenario", "app");
        row("app.listen", "server.runtime", "client");
        row("app.backup", "server.runtime", "redis.embedded", "archive");
        row("app.migrate", "server.runtime");
        row(
                "app.operate",
                "core.posting",
                "core.archive",
                "core.moderation",
                "core.factor",
                "server.runtime",
                "redis.embedded",
                "verify",
                "archive",
                "api.oauth",
                "api.report",
                "api.siteblock");
        row("app.console", "app.operate", "web");
        row("app.size", "common.settings");
        row("app", "api", "worker", "stream", "app.listen", "app.backup", "app.migrate", "app.console", "app.size");
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
