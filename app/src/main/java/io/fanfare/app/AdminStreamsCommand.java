package io.fanfare.app;

import io.fanfare.common.runtime.RuntimeFile;
import io.fanfare.common.runtime.StartFailed;
import io.fanfare.common.settings.Secret;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code fanfare admin streams}: who listens, to what, and how far behind; asks the management server of one process.
 */
@Command(
        name = "streams",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Open streams of a process, those furthest behind first: connection, account, stream, lag, bytes, age.")
final class AdminStreamsCommand implements Callable<Integer> {
    /** Where the token of another process is found, as the process itself finds it. */
    private static final String TOKEN = "FANFARE_MANAGEMENT_TOKEN";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    @Option(
            names = "--management",
            paramLabel = "URL",
            description =
                    "Management server of the process, as it was printed at its start. Default: of the service that runs on --data.")
    private String management;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Data folder of the service. Default: ./${DEFAULT-VALUE}")
    private Path data;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many rows, 1 to 99999. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--json", description = "For programs.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Logging.ofCommand();
        Target target = target();
        JsonObject page = ask(target.url() + "/streams?limit=" + Math.max(1, Math.min(limit, 99_999)), target.token());
        System.out.println(json ? page.encodePrettily() : table(page));
        return 0;
    }

    /** @param token empty = none is asked for, as far as is known */
    private record Target(String url, Secret token) {}

    private Target target() {
        if (management != null) {
            String base = management.replaceFirst("/+$", "");
            if (!base.matches("https?://[^/]+.*")) {
                throw new ParameterException(
                        spec.commandLine(), "--management " + management + " is no address: write http://HOST:PORT");
            }
            return new Target(base, new Secret(System.getenv().getOrDefault(TOKEN, "")));
        }
        return RuntimeFile.read(data)
                .map(service -> new Target(service.managementUrl(), service.managementToken()))
                .orElseThrow(
                        () -> new StartFailed(
                                "no service runs on "
                                        + data.toAbsolutePath().normalize()
                                        + ": name its folder with --data DIR, or the management server of a process with --management URL"));
    }

    private static JsonObject ask(String url, Secret token) throws InterruptedException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_MAX);
            if (token.isSet()) {
                request.header("Authorization", "Bearer " + token.reveal());
            }
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 401) {
                throw new StartFailed("the process at " + url + " asks for its management.token: set " + TOKEN);
            }
            if (answer.statusCode() == 404) {
                throw new StartFailed("the process at " + url + " serves no streams: ask an `up` or a `stream`");
            }
            if (answer.statusCode() != 200) {
                throw new StartFailed("the process at " + url + " answered " + answer.statusCode());
            }
            return new JsonObject(answer.body());
        } catch (IOException | IllegalArgumentException e) {
            throw new StartFailed("no management server answers at " + url + " (" + e + ")");
        }
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
