package io.fanfare.app;

import io.fanfare.app.backup.BackupRun;
import io.fanfare.app.backup.Manifest;
import io.fanfare.archive.SqliteSnapshot;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.common.store.Release;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.ServerSnapshot;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.file.FileSystemException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare backup}: one file of a service that runs, from which {@link RestoreCommand} makes a data folder. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Writes all data of a running service into one file: Redis, the archive, pictures and the signing key. Who can read the file can read everything: keep it safe.",
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {
            "0:the file is complete and on the disk",
            "1:there is none",
            "2:the arguments or settings are wrong"
        })
final class BackupCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "FILE", description = "A new file; its folder needs room for the data of Redis twice.")
    private Path file;

    @Option(names = "--without-pictures", description = "Leaves the pictures out, where rsync copies them already.")
    private boolean withoutPictures;

    @Option(
            names = "--without-key",
            description = "Leaves DATA/signing-key out: nobody can make tokens of accounts from the file alone.")
    private boolean withoutKey;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Logging.ofCommand();
        Settings settings = options.joining();
        Optional<RuntimeFile> beside = beside(settings);
        String archive = known(settings.archive().jdbcUrl().reveal(), beside, "archive.jdbc-url");
        String bucket = known(settings.media().s3().bucket(), beside, "media.s3.bucket");
        // With a bucket the folder has nothing but uploads under way.
        String media = bucket.isEmpty() ? known(settings.media().directory(), beside, "media.directory") : "";
        Path key = options.data().resolve("signing-key");
        boolean hasKey = beside.isPresent() && Files.exists(key);
        BackupRun.Sources sources = new BackupRun.Sources(
                settings.redis()
                        .at(options.administrator().orElse(settings.redis().url()))
                        .options(),
                archive,
                withoutPictures || media.isEmpty() ? Optional.empty() : Optional.of(Path.of(media)),
                withoutKey || !hasKey ? Optional.empty() : Optional.of(key));
        long began = System.nanoTime();
        Manifest manifest = run(sources);
        List<String> remarks = remarks(manifest, bucket, hasKey, beside.isPresent());
        stamp(sources.redis(), manifest.moment()).ifPresent(remarks::add);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.println(json ? json(manifest, took, remarks).encodePrettily() : text(took, remarks));
        return 0;
    }

    private Manifest run(BackupRun.Sources sources) throws IOException {
        try {
            return new BackupRun(
                            sources, file, Release.running().version(), InstantSource.system(), System.err::println)
                    .run();
        } catch (RedisError e) {
            throw new StartFailed(
                    e.isOfRights()
                            ? e.getMessage() + ": name a user with " + String.join(" ", ServerSnapshot.rights())
                                    + ", such as the administrator: FANFARE_REDIS_URL=redis://default:PASSWORD@HOST"
                            : e.getMessage());
        } catch (SqliteSnapshot.ArchiveUnreadable e) {
            throw new StartFailed("there is no backup: " + e.getMessage());
        } catch (IOException | UncheckedIOException | FileSystemException e) {
            // Its class says what is wrong with the file that its message names.
            throw new StartFailed("there is no backup: " + Reason.of(e));
        }
    }

    /**
     * Tells the service, which shows the age of its last backup. The backup counts without that; empty = it is done.
     */
    private static Optional<String> stamp(RedisOptions redis, Instant moment) {
        try {
            Void unused = RemoteStores.askRedis(redis, link -> new BackupStamp(link).write(moment));
            return Optional.empty();
        } catch (RedisError e) {
            return Optional.of("Redis keeps no note of this backup, so that metrics and `fanfare doctor` do not know of"
                    + " it: " + e.getMessage());
        }
    }

    /**
     * The service on the data folder; empty when none runs there, and the settings have to say all. One with another
     * Redis or namespace is refused: pictures and archive would be of another site, or missing.
     */
    private Optional<RuntimeFile> beside(Settings settings) {
        Optional<RuntimeFile> running = RuntimeFile.read(options.data());
        String named = server(settings.redis().url().reveal());
        String used = running.map(file -> server(file.settings().getOrDefault("redis.url", "")))
                .orElse(named);
        // Of a cluster each may know other nodes.
        List<String> nodes = settings.redis().nodes();
        boolean same = nodes.isEmpty()
                ? used.equals(named)
                : running.map(file ->
                                RedisOptions.nodes(new Secret(file.settings().getOrDefault("redis.url", ""))))
                        .map(others -> !Collections.disjoint(others, nodes))
                        .orElse(true);
        if (!same) {
            throw new StartFailed("the service on " + options.data() + " uses the Redis at " + used
                    + ", and redis.url names that at " + named
                    + ": name it in the same way, or name another folder with --data DIR");
        }
        running.ifPresent(file -> requireNamespace(file, settings.redis().namespace()));
        return running;
    }

    /** The runtime file has only what differs from the defaults. */
    private void requireNamespace(RuntimeFile file, String named) {
        String usual = SettingsLoader.defaultsWith().redis().namespace();
        String used = file.settings().getOrDefault("redis.namespace", usual);
        if (!used.equals(named)) {
            throw new StartFailed("the service on " + options.data() + " has the namespace " + used
                    + ", and redis.namespace is " + named + ": give --set redis.namespace=" + used
                    + ", or name another folder with --data DIR");
        }
    }

    /** Without user and password, who may be others. */
    private static String server(String url) {
        return url.replaceFirst("^\\w+://", "").replaceFirst("^.*@", "").replaceFirst("/$", "");
    }

    private static String known(String setting, Optional<RuntimeFile> beside, String name) {
        return setting.isEmpty()
                ? beside.map(RuntimeFile::settings)
                        .map((Map<String, String> shared) -> shared.get(name))
                        .orElse("")
                : setting;
    }

    private static List<String> remarks(Manifest manifest, String bucket, boolean hasKey, boolean beside) {
        List<String> remarks = new ArrayList<>();
        if (manifest.archive() == Manifest.ArchiveKind.NONE && !beside) {
            remarks.add(
                    "no archive is in the file: if the service has one, name its folder with --data or its settings with --config");
        }
        if (manifest.archive() == Manifest.ArchiveKind.POSTGRESQL) {
            remarks.add("the archive is in PostgreSQL and not in the file: copy it now, with pg_dump");
        }
        if (!bucket.isEmpty()) {
            remarks.add("pictures are in the bucket " + bucket
                    + " and not in the file: copy it now, and each time before a backup, or keep its old versions");
        } else if (manifest.media().isEmpty()) {
            remarks.add("pictures are not in the file: copy media.directory now, and each time before a backup");
        }
        if (manifest.key().isEmpty()) {
            remarks.add(
                    hasKey
                            ? "the signing key is not in the file: keep a copy of DATA/signing-key elsewhere"
                            : "no signing key of a data folder was found: keep a copy of auth.signing-key elsewhere");
        }
        if (manifest.redis().size() > 1) {
            remarks.add("several servers: run `fanfare admin verify --repair` after a restore");
        }
        return remarks;
    }

    private String text(Duration took, List<String> remarks) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(String.format("%s has %,d bytes, after %.1f s", file, Files.size(file), took.toMillis() / 1000.0));
        remarks.forEach(remark -> lines.add("note: " + remark));
        return String.join(System.lineSeparator(), lines);
    }

    private JsonObject json(Manifest manifest, Duration took, List<String> remarks) throws IOException {
        return new JsonObject()
                .put("file", file.toAbsolutePath().toString())
                .put("bytes", Files.size(file))
                .put("seconds", took.toMillis() / 1000.0)
                .put("remarks", new JsonArray(remarks))
                .put("manifest", manifest.json());
    }
}
