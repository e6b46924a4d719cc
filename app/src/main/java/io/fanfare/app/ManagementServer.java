package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.failure.Reason;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.DefaultPlaces;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which process a command asks, and how it is asked: over its management server. */
final class ManagementServer {
    /** The environment variables with the tokens of another process; the process itself reads the same names. */
    private static final String TOKEN = "FANFARE_MANAGEMENT_TOKEN";

    private static final String OPERATOR_TOKEN = "FANFARE_CONSOLE_OPERATOR_TOKEN";
    private static final String OPERATOR_SETTING = "console.operator-token";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final int SENTENCE_CHARS_MAX = 500;

    /** A holder class: commands that send no request start no client. */
    private static final class Client {
        static final HttpClient SHARED = HttpClient.newHttpClient();
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--management",
            paramLabel = "URL",
            description =
                    "Management server of the process, as it was printed at its start. Default: of the service that runs on --data.")
    private String management;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = DefaultPlaces.DATA,
            description = "Data folder of the service. Default: ${DEFAULT-VALUE}.")
    private Path data;

    /** Returns the body of the reply to a GET; fails with {@link StartFailed} if the status is not 200. */
    JsonObject get(String path) {
        String url = url();
        Secret token = management == null
                ? running().map(RuntimeFile::managementToken).orElse(new Secret(""))
                : environment(TOKEN);
        return ask(HttpRequest.newBuilder(URI.create(url + path)), url + path, token, "management.token: set " + TOKEN);
    }

    /** The same of the service that the file is about. */
    static JsonObject get(RuntimeFile running, String path) {
        String url = running.managementUrl() + path;
        return ask(
                HttpRequest.newBuilder(URI.create(url)),
                url,
                running.managementToken(),
                "management.token: set " + TOKEN);
    }

    /** Runs an action of the process's console and returns its result; fails like {@link #get}. */
    JsonObject act(String action, JsonObject given) {
        String url = url();
        Secret token = environment(OPERATOR_TOKEN).isSet()
                ? environment(OPERATOR_TOKEN)
                : management == null
                        ? new Secret(running()
                                .map(file -> file.settings().getOrDefault(OPERATOR_SETTING, ""))
                                .orElse(""))
                        : new Secret("");
        if (!token.isSet()) {
            throw new StartFailed("only an operator may do this: set " + OPERATOR_SETTING + " (" + OPERATOR_TOKEN
                    + ") for the process, and " + OPERATOR_TOKEN + " here if it runs elsewhere");
        }
        String address = url + "/console/api/" + action;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(given.encode()));
        return ask(request, address, token, OPERATOR_SETTING + ": set " + OPERATOR_TOKEN);
    }

    private static JsonObject ask(HttpRequest.Builder request, String url, Secret token, String asksFor) {
        if (token.isSet()) {
            request.header("Authorization", "Bearer " + token.reveal());
        }
        try {
            HttpResponse<String> answer =
                    Client.SHARED.send(request.timeout(ANSWER_MAX).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 401) {
                throw new StartFailed("the process at " + url + " asks for its " + asksFor);
            }
            if (answer.statusCode() == 404 && answer.request().method().equals("GET")) {
                throw new StartFailed("the process at " + url + " serves no streams: ask an `up` or a `stream`");
            }
            if (answer.statusCode() != 200) {
                throw new StartFailed("the process at " + url + " answered " + answer.statusCode() + sentence(answer));
            }
            return new JsonObject(answer.body());
        } catch (IOException | IllegalArgumentException e) {
            throw new StartFailed("no management server answers at " + url + " (" + Reason.of(e) + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailed("interrupted");
        }
    }

    /** The process's own description of the error and the remedy; empty if it gives none. */
    private static String sentence(HttpResponse<String> answer) {
        String text = answer.body().strip();
        try {
            text = new JsonObject(text).getString("error", "");
        } catch (DecodeException | ClassCastException e) {
            // The console says in plain words that it is closed.
        }
        String shown = Terminal.printable(text.lines().collect(Collectors.joining(" ")));
        return shown.isEmpty() ? "" : ": " + shown.substring(0, Math.min(shown.length(), SENTENCE_CHARS_MAX));
    }

    private static Secret environment(String name) {
        return new Secret(System.getenv().getOrDefault(name, ""));
    }

    private Optional<RuntimeFile> running() {
        return RuntimeFile.read(data);
    }

    private String url() {
        if (management != null) {
            String base = management.replaceFirst("/+$", "");
            if (!base.matches("https?://[^/]+.*")) {
                throw new ParameterException(
                        spec.commandLine(), "--management " + management + " is no address: write http://HOST:PORT");
            }
            return base;
        }
        return running()
                .map(RuntimeFile::managementUrl)
                .orElseThrow(
                        () -> new StartFailed(
                                "no service runs on "
                                        + data.toAbsolutePath().normalize()
                                        + ": name its folder with --data DIR, or the management server of a process with --management URL"));
    }
}
