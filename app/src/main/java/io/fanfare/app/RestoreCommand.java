package io.fanfare.app;

import io.fanfare.app.backup.BackupReader;
import io.fanfare.app.backup.Manifest;
import io.fanfare.archive.ArchiveFile;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.disk.DiskSpace;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.DefaultPlaces;
import io.fanfare.server.runtime.SigningKeyFile;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare restore}: a new data folder for {@code fanfare up} from a file of {@link BackupCommand}. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Makes a new data folder from a backup. The file is checked first. Streams begin a new epoch, so clients receive a gap instead of silently missing events.",
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {
            "0:the folder is complete, start `fanfare up` on it",
            "1:there is none; nothing was written, or it was removed",
            "2:the arguments are wrong"
        })
final class RestoreCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The file that `fanfare backup` has written.")
    private Path file;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = DefaultPlaces.DATA,
            description = "The new folder; it is missing or empty. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Logging.ofCommand();
        System.err.println("checking " + file);
        try (BackupReader backup = checked();
                DataFolder folder = DataFolder.takeEmpty(data)) {
            String epoch = restored(backup, folder);
            System.out.println(
                    json
                            ? json(backup.manifest(), folder.path(), epoch).encodePrettily()
                            : text(backup.manifest(), folder.path(), epoch));
            return 0;
        }
    }

    private BackupReader checked() {
        try {
            return BackupReader.open(file);
        } catch (IOException e) {
            throw new StartFailed(file + " cannot be read, nothing was written: " + Reason.of(e));
        }
    }

    /** All or nothing. */
    private static String restored(BackupReader backup, DataFolder folder) throws IOException {
        try {
            String epoch = fill(backup, folder.path());
            folder.complete();
            return epoch;
        } catch (IOException | RuntimeException e) {
            folder.clear();
            if (e instanceof IOException) {
                throw new StartFailed("nothing was restored: " + Reason.of(e));
            }
            if (e instanceof RedisError || e instanceof IllegalStateException) {
                throw new StartFailed("nothing was restored: " + e.getMessage());
            }
            throw e;
        }
    }

    private static String fill(BackupReader backup, Path data) throws IOException {
        Manifest manifest = backup.manifest();
        requireSpace(backup.bytes(), data);
        if (manifest.key().isPresent()) {
            backup.extract(manifest.key().get(), data.resolve("signing-key"));
            checkKey(data);
        }
        if (manifest.archivePart().isPresent()) {
            System.err.println("archive");
            Path archive = data.resolve("archive.db");
            backup.extract(manifest.archivePart().get(), archive);
            ArchiveFile.fault(archive).ifPresent(why -> {
                throw new StartFailed("nothing was restored: the archive in the backup will not do: " + why);
            });
        }
        if (manifest.media().isPresent()) {
            System.err.printf("pictures: %,d files%n", manifest.media().get().files());
            PrivateFiles.createDirectories(data.resolve("media"));
            backup.extractMedia(data.resolve("media"));
        }
        return RestoredRedis.fill(backup, data, System.err::println);
    }

    private static void requireSpace(long bytes, Path data) throws IOException {
        long free = DiskSpace.ofSystem().of(data).free();
        if (bytes > free) {
            throw new StartFailed(String.format(
                    "nothing was restored: the parts of the backup take %,d bytes, the disk has %,d free",
                    bytes, free));
        }
    }

    /** A key that the service would not take ends the restore rather than the first start. */
    private static void checkKey(Path data) {
        try {
            Settings unused = SigningKeyFile.applied(data, SettingsLoader.defaultsWith());
        } catch (StartFailed e) {
            throw new StartFailed("nothing was restored: " + e.getMessage());
        }
    }

    private static List<String> remarks(Manifest manifest) {
        List<String> remarks = new ArrayList<>();
        if (manifest.archive() == Manifest.ArchiveKind.POSTGRESQL) {
            remarks.add(
                    "the archive is in PostgreSQL: restore it with pg_restore, and start with archive.jdbc-url set");
        }
        if (manifest.media().isEmpty()) {
            remarks.add(
                    "pictures are not in the backup: copy them to DATA/media, or start with media.s3 set if they are in a bucket");
        }
        if (manifest.key().isEmpty()) {
            remarks.add(
                    "the signing key is not in the backup: put DATA/signing-key or auth.signing-key in place first, or every session ends");
        }
        if (manifest.redis().size() > 1) {
            remarks.add(
                    "the snapshots of several servers were brought together: run `fanfare admin verify --repair` once the service runs");
        }
        return remarks;
    }

    private static String text(Manifest manifest, Path data, String epoch) {
        List<String> lines = new ArrayList<>();
        lines.add(data + " has the data of " + manifest.moment() + "; streams begin with epoch " + epoch);
        remarks(manifest).forEach(remark -> lines.add("note: " + remark));
        Settings.Redis usual = SettingsLoader.defaultsWith().redis();
        lines.add("start    " + Invocation.command() + " up --data " + Invocation.quoted(data.toString())
                + (manifest.shards() == usual.shards() ? "" : " --set redis.shards=" + manifest.shards())
                + (manifest.namespace().equals(usual.namespace())
                        ? ""
                        : " --set redis.namespace=" + manifest.namespace()));
        lines.add("then     " + Invocation.command() + " admin verify --data " + Invocation.quoted(data.toString()));
        return String.join(System.lineSeparator(), lines);
    }

    private static JsonObject json(Manifest manifest, Path data, String epoch) {
        return new JsonObject()
                .put("data", data.toString())
                .put("epoch", epoch)
                .put("remarks", new JsonArray(remarks(manifest)))
                .put("manifest", manifest.json());
    }
}
