package io.fanfare.common.testing;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which package may import which: the table that {@link ArchitectureRules} holds every class to, and that
 * docs/architecture.md, section 8, draws. Names are written without {@code io.fanfare.}. A package may import the packages
 * in its row, and all that these may import.
 */
public final class PackageImports {
    private static final Map<String, Set<String>> ROWS = new TreeMap<>();

    static {
        row("common.id");
        row("common.settings");
        row("common.text");
        row("common.model", "common.id");
        row("common.redis", "common.settings", "common.id");
        row("common.queue", "common.redis");
        row("common.embedded", "common.redis");
        row("common.event", "common.redis", "common.model");
        row("common.auth", "common.redis", "common.model");
        row("common.view", "common.event");
        row("common.store", "common.auth", "common.queue", "common.view");
        row("common.http", "common.auth", "common.view");
        row("common.runtime", "common.http", "common.store");

        row("api", "common.runtime", "common.text");
        row("worker.handler", "common.store");
        row("worker", "worker.handler", "common.runtime");
        row("stream.match", "common.model", "common.text");
        row("stream.wire", "stream.match", "common.event");
        row("stream.filter", "stream.wire", "common.store");
        row("stream", "stream.filter", "common.runtime");

        row("bench.input");
        row("bench", "bench.input", "api", "worker", "stream", "common.embedded");
        row("app.listen", "common.runtime");
        row("app.replay", "app.listen", "bench");
        row("app", "app.replay");
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
