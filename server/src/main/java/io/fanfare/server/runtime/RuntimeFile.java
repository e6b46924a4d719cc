package io.fanfare.server.runtime;

import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.secret.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code DATA/runtime.yaml}: how other processes on the machine find the service that runs on a data folder. Readable
 * for its owner only, since it holds the password of Redis, the token of the management server and the tokens of the
 * console.
 *
 * <pre>{@code
 * pid: "4711"
 * http-url: "http://127.0.0.1:8080"
 * management-url: "http://127.0.0.1:41233"
 * settings:
 *   redis.url: "redis://fanfare:0f...9a@127.0.0.1:36379"
 *   redis.shards: "16"
 * }</pre>
 *
 * @param managementToken empty = none is asked for
 * @param settings what joining processes must have the same, by key
 */
public record RuntimeFile(
        long pid, String httpUrl, String managementUrl, Secret managementToken, Map<String, String> settings) {
    private static final String NAME = "runtime.yaml";
    private static final String SETTINGS = "settings.";

    public RuntimeFile {
        settings = new LinkedHashMap<>(settings);
    }

    /** The service that runs on the folder; empty when there is none, or it is gone without having removed its file. */
    public static Optional<RuntimeFile> read(Path data) {
        Path file = data.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        SettingsLayer lines = SettingsLayer.file(file);
        if (!lines.problems().isEmpty()) {
            throw new StartFailed(lines.problems().get(0));
        }
        Map<String, String> texts = new LinkedHashMap<>();
        lines.values().forEach((key, entry) -> texts.put(key, entry.text()));
        Map<String, String> settings = new LinkedHashMap<>();
        texts.forEach((key, text) -> {
            if (key.startsWith(SETTINGS)) {
                settings.put(key.substring(SETTINGS.length()), text);
            }
        });
        long pid = Long.parseLong(texts.getOrDefault("pid", "0"));
        RuntimeFile found = new RuntimeFile(
                pid,
                texts.getOrDefault("http-url", ""),
                texts.getOrDefault("management-url", ""),
                new Secret(texts.getOrDefault("management-token", "")),
                settings);
        return ProcessHandle.of(pid).isPresent() ? Optional.of(found) : Optional.empty();
    }

    /**
     * The shared settings, as a layer that is stronger than the defaults and weaker than everything the operator says.
     */
    public SettingsLayer layer(Path data) {
        return SettingsLayer.of(data.resolve(NAME).toString(), settings);
    }

    /** Writes the file whole: a reader sees the old one, the new one or none. */
    public void write(Path data) throws IOException {
        StringBuilder text = new StringBuilder(
                "# Written at start, removed at the end. How other processes on this machine join.\n");
        line(text, "pid", Long.toString(pid));
        line(text, "http-url", httpUrl);
        line(text, "management-url", managementUrl);
        if (managementToken.isSet()) {
            line(text, "management-token", managementToken.reveal());
        }
        text.append("settings:\n");
        settings.forEach((key, value) -> line(text.append("  "), key, value));
        PrivateFile.write(data.resolve(NAME), text.toString());
    }

    public static void remove(Path data) throws IOException {
        Files.deleteIfExists(data.resolve(NAME));
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key)
                .append(": \"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                .append("\"\n");
    }
}
