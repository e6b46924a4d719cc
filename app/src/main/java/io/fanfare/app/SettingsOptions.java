package io.fanfare.app;

import io.fanfare.app.operate.VerifyRun;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisOptions;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.DefaultPlaces;
import io.fanfare.server.runtime.RedisNodesFile;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.SigningKeyFile;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say where settings come from: the same for every sub-command that needs some. */
final class SettingsOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = DefaultPlaces.CONFIG,
            description = "Settings that differ from the defaults; config/fanfare.yaml explains them all.")
    private Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One setting, stronger than file and environment; may be repeated.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = DefaultPlaces.DATA,
            description =
                    "The service's data folder, by which others on this machine find it. Default: ${DEFAULT-VALUE}.")
    private Path data;

    private SettingsLayer implied;

    /** The settings that Redis reported; null = not requested. */
    private SettingsLayer facts;

    Path data() {
        return data;
    }

    /** {@code --port}, which is short for a setting; null = not given. */
    void assignPort(Integer port) {
        if (port != null) {
            assignments.add("http.port=" + port);
        }
    }

    /** {@code --tls} with files, which is short for two settings; one file holds both the certificate and the key. */
    void assignCertificate(List<Path> files) {
        if (!files.isEmpty()) {
            assignments.add("http.tls.certificate=" + files.get(0));
            assignments.add("http.tls.key=" + files.get(files.size() - 1));
        }
    }

    /** Sets the layer that an option implies, just above the defaults. */
    void imply(SettingsLayer settings) {
        implied = settings;
    }

    /** All layers, weakest first, with the known facts about the Redis that they name. */
    List<SettingsLayer> layers() {
        return withKnownNodes(givenLayers());
    }

    /**
     * The same once Redis has been asked for its mode and its shards, where nobody says them. Blocks while it connects;
     * a Redis that is away says nothing.
     */
    List<SettingsLayer> discovered() {
        List<SettingsLayer> given = givenLayers();
        List<SettingsLayer> layers = withKnownNodes(given);
        // The kept nodes may be older than the newest number of shards.
        if (facts == null && !nodes(layers).isEmpty() && !(says(given, "redis.mode") && says(given, "redis.shards"))) {
            facts = SettingsLayer.of(
                    "what Redis says",
                    RedisFacts.of(SettingsLoader.load(layers).redis().options(), says(layers, "redis.mode")));
        }
        return layers();
    }

    /**
     * The settings of the redis-server of this process: with the number of shards of its data, where the operator sets
     * none.
     */
    Settings.Redis ofOwn(EmbeddedRedis own, Settings.Redis settings) throws IOException {
        Optional<Integer> shards = says(givenLayers(), "redis.shards") ? Optional.empty() : own.shards();
        shards.ifPresent(
                number -> facts = SettingsLayer.of("what Redis says", Map.of("redis.shards", number.toString())));
        return settings.at(own.url(), shards.orElse(settings.shards()));
    }

    /** The layers without the facts that Redis reports. */
    private List<SettingsLayer> givenLayers() {
        List<SettingsLayer> layers = new ArrayList<>();
        layers.add(SettingsLayer.defaults());
        if (implied != null) {
            layers.add(implied);
        }
        if (config != null) {
            layers.add(SettingsLayer.file(config));
        }
        layers.add(SettingsLayer.environment(System.getenv()));
        layers.add(SettingsLayer.flags(assignments));
        return layers;
    }

    /**
     * With the nodes that a service on the data folder knew last behind those of {@code redis.url}, if one of them is
     * the same, and with mode and shards where nobody says them.
     */
    private List<SettingsLayer> withKnownNodes(List<SettingsLayer> given) {
        List<SettingsLayer> layers = new ArrayList<>(given);
        if (facts != null) {
            layers.add(1, facts);
        }
        List<String> nodes = nodes(given);
        Optional<RedisNodesFile> file =
                nodes.isEmpty() ? Optional.empty() : RedisNodesFile.read(data).filter(kept -> kept.isAbout(nodes));
        if (file.isEmpty()) {
            return layers;
        }
        RedisNodesFile kept = file.get();
        String place = data.resolve(RedisNodesFile.NAME).toString();
        layers.add(1, SettingsLayer.of(place, Map.of("redis.mode", kept.mode(), "redis.shards", kept.shards())));
        String mode = text(layers, "redis.mode");
        if (mode.equals(kept.mode())) {
            Secret url = RedisOptions.urlWith(new Secret(text(given, "redis.url")), kept.nodes());
            layers.add(SettingsLayer.of(place, Map.of("redis.url", url.reveal())));
        }
        return layers;
    }

    /** The nodes that these layers name, if they lead to any; what is wrong with them is for the settings to say. */
    private static List<String> nodes(List<SettingsLayer> layers) {
        return text(layers, "redis.mode").equals("sentinel")
                ? List.of()
                : RedisOptions.nodes(new Secret(text(layers, "redis.url")));
    }

    /** The value in the strongest layer that has the setting; empty if none has. */
    private static String text(List<SettingsLayer> layers, String key) {
        return layers.stream()
                .map(layer -> layer.values().get(key))
                .filter(Objects::nonNull)
                .reduce((weaker, stronger) -> stronger)
                .map(SettingsLayer.Entry::text)
                .orElse("");
    }

    /** Whether a layer above the defaults has the setting. */
    private static boolean says(List<SettingsLayer> layers, String key) {
        return layers.stream().skip(1).anyMatch(layer -> layer.values().containsKey(key));
    }

    /**
     * Settings that lead to a Redis: the one of {@code redis.url}, or else of the service that runs on the data folder,
     * with what that service shares.
     */
    Settings joining() {
        FormatFile.require(data);
        if (running().isEmpty()) {
            List<SettingsLayer> unused = discovered();
        }
        Settings settings = looking();
        if (!settings.redis().url().isSet()) {
            throw new StartFailed(
                    "no service runs on " + data.toAbsolutePath().normalize()
                            + ": start one with `fanfare up`, name its folder with --data DIR, or say where Redis is with --set redis.url=redis://...");
        }
        return settings;
    }

    /** The same, which lead to no Redis when there is none yet. */
    Settings looking() {
        Optional<RuntimeFile> running = running();
        Settings settings = SettingsLoader.load(layers(running));
        return running.isPresent() ? SigningKeyFile.applied(data, settings) : settings;
    }

    /** Every setting of {@link #looking} with its origin, without secrets. */
    List<SettingsLoader.Effective> explained() {
        return SettingsLoader.explain(layers(running()));
    }

    /**
     * With what the running service shares just above the defaults, so before the rules between settings are checked.
     */
    private List<SettingsLayer> layers(Optional<RuntimeFile> running) {
        List<SettingsLayer> layers = givenLayers();
        running.ifPresent(file -> layers.add(1, file.layer(data)));
        return withKnownNodes(layers);
    }

    /** The service that runs on the data folder; empty when there is none, or the operator says where Redis is. */
    Optional<RuntimeFile> running() {
        return namesRedis() ? Optional.empty() : RuntimeFile.read(data);
    }

    /** Whether the operator says where Redis is. */
    boolean namesRedis() {
        return nameRedis(givenLayers());
    }

    /**
     * The administrator's address of the redis-server that belongs to the service on the data folder. Empty if none
     * runs, or if the operator names another Redis.
     */
    Optional<Secret> administrator() {
        return namesRedis() ? Optional.empty() : VerifyRun.administratorOf(data);
    }

    private static boolean nameRedis(List<SettingsLayer> layers) {
        return layers.stream()
                .map(layer -> layer.values().get("redis.url"))
                .anyMatch(entry -> entry != null && !entry.text().isEmpty());
    }
}
