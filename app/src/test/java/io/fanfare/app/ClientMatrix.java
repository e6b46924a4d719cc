package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of docs/clients.md that says which operations each client calls. Its columns come from the server's own
 * counters: an operation was called when a request of it was answered 2xx. A run with
 * {@code -Dfanfare.tests.write-docs=true} writes the column of each client that it runs.
 */
final class ClientMatrix {
    private static final Path PAGE = Path.of("../docs/clients.md");
    private static final boolean WRITES = Boolean.getBoolean("fanfare.tests.write-docs");

    /** The clients of the columns, in their order. */
    private static final List<String> CLIENTS = List.of("toot", "mastodonpy", "mastojs", "megalodon");

    private static final String HEAD =
            "| operation | toot | Mastodon.py | masto.js | megalodon |\n|---|---|---|---|---|\n";
    private static final String END = "\n\n## ";
    private static final String MARK = "x";

    /** Pages of this server and their sessions, which no Mastodon client calls, and streams, which are not counted. */
    private static final Set<String> TAGS_LEFT_OUT = Set.of("pages", "session", "streaming");

    private static final Pattern ROW = Pattern.compile("\\| `([A-Z]+ [^`]+)` \\|(.*)\\|");
    private static final Pattern COUNTER = Pattern.compile("fanfare_http_requests_seconds_count\\{(.*)} ([0-9.E]+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private ClientMatrix() {}

    /** How often each operation was answered 2xx so far. */
    static Map<String, Double> counts(String managementUrl) throws Exception {
        Map<String, Double> counts = new TreeMap<>();
        Client.get(managementUrl + "/metrics", "").body().lines().forEach(line -> {
            Matcher counter = COUNTER.matcher(line);
            if (counter.matches()) {
                Map<String, String> labels = LABEL.matcher(counter.group(1))
                        .results()
                        .collect(Collectors.toMap(label -> label.group(1), label -> label.group(2)));
                if (labels.get("status").equals("2xx")) {
                    counts.merge(
                            labels.get("method") + " " + ContractServer.anonymous(labels.get("route")),
                            Double.valueOf(counter.group(2)),
                            Double::sum);
                }
            }
        });
        return counts;
    }

    /** Compares a client's column with what it has called between two looks at the counters, or writes it. */
    static void check(String client, Map<String, Double> before, Map<String, Double> after) throws IOException {
        Set<String> called = operations().stream()
                .filter(operation -> count(after, operation) > count(before, operation))
                .map(Operation::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Set<String>> rows = rows();
        if (WRITES) {
            rows.values().forEach(clients -> clients.remove(client));
            called.forEach(operation ->
                    rows.computeIfAbsent(operation, unknown -> new TreeSet<>()).add(client));
            write(rows);
            return;
        }
        Set<String> listed = rows.entrySet().stream()
                .filter(row -> row.getValue().contains(client))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(called)
                .as("operations that %s called; -Dfanfare.tests.write-docs=true writes them to %s", client, PAGE)
                .isEqualTo(listed);
    }

    /** The operations that a third-party client may call, in the order of the description. */
    static List<Operation> operations() {
        return Contract.instance().operations().stream()
                .filter(operation -> !TAGS_LEFT_OUT.contains(
                        operation.node().path("tags").path(0).asText()))
                .toList();
    }

    /** By operation, the clients that the page lists for it. */
    static Map<String, Set<String>> rows() throws IOException {
        Map<String, Set<String>> rows = new TreeMap<>();
        for (String line : table(Files.readString(PAGE)).lines().toList()) {
            Matcher row = ROW.matcher(line);
            assertThat(row.matches()).as("a row of %s: %s", PAGE, line).isTrue();
            String[] cells = row.group(2).split("\\|", -1);
            Set<String> clients = new TreeSet<>();
            for (int i = 0; i < CLIENTS.size(); i++) {
                if (!cells[i].isBlank()) {
                    clients.add(CLIENTS.get(i));
                }
            }
            rows.put(row.group(1), clients);
        }
        return rows;
    }

    private static void write(Map<String, Set<String>> rows) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Operation operation : operations()) {
            Set<String> clients = rows.getOrDefault(operation.toString(), Set.of());
            lines.add(CLIENTS.stream()
                    .map(client -> clients.contains(client) ? " " + MARK + " |" : " |")
                    .collect(Collectors.joining("", "| `" + operation + "` |", "")));
        }
        String page = Files.readString(PAGE);
        Files.writeString(PAGE, page.replace(HEAD + table(page), HEAD + String.join("\n", lines)));
    }

    private static String table(String page) {
        int begin = page.indexOf(HEAD) + HEAD.length();
        return page.substring(begin, page.indexOf(END, begin)).strip();
    }

    private static double count(Map<String, Double> counts, Operation operation) {
        return counts.getOrDefault(operation.method() + " " + ContractServer.anonymous(operation.path()), 0.0);
    }
}
