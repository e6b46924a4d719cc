package io.fanfare.app;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code fanfare admin streams}: who listens, to what, and how far behind; asks the management server of one process.
 */
@Command(
        name = "streams",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = AdminStreamsCloseCommand.class,
        description =
                "Shows the open streams of a process, those furthest behind first: connection, account, stream, lag,"
                        + " bytes, age.")
final class AdminStreamsCommand implements Callable<Integer> {
    @Mixin
    private ManagementServer server;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many rows, 1 to 99999. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        Logging.ofCommand();
        JsonObject page = server.get("/streams?limit=" + Math.max(1, Math.min(limit, 99_999)));
        System.out.println(json ? page.encodePrettily() : table(page));
        return 0;
    }

    private static String table(JsonObject page) {
        JsonArray streams = page.getJsonArray("streams");
        StringBuilder text =
                new StringBuilder(row("CONN", "ACCOUNT", "STREAM", "DIALECT", "LAG", "BYTES", "AGE", "IDLE", "FILTER"));
        for (int i = 0; i < streams.size(); i++) {
            JsonObject stream = streams.getJsonObject(i);
            text.append(row(
                    stream.getString("conn"),
                    stream.getString("account_id", "-"),
                    stream.getString("stream"),
                    stream.getString("dialect"),
                    stream.getLong("lag"),
                    stream.getLong("bytes"),
                    stream.getLong("age_seconds") + " s",
                    stream.getLong("idle_seconds") + " s",
                    stream.getString("filter")));
        }
        return text
                + String.format(
                        Locale.ROOT,
                        "%d open, %d shown; %d bytes sent, %d waiting; the last is %d events behind",
                        page.getInteger("open"),
                        streams.size(),
                        page.getLong("bytes"),
                        page.getLong("waiting"),
                        page.getLong("lag_max"));
    }

    private static String row(Object... columns) {
        String line = String.format(Locale.ROOT, "%-16s  %16s  %-13s  %-19s  %8s  %14s  %8s  %6s  %s", columns);
        return line.stripTrailing() + System.lineSeparator();
    }
}
