package io.fanfare.app.backup;

import io.fanfare.archive.SqliteSnapshot;
import io.fanfare.common.store.DataFormat;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.StartFailed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Takes a backup of a service that runs, in an order in which nothing is missing (ADR 0021): the pictures; then Redis
 * and the archive at the same moment, for which nobody writes into the archive; then the pictures that have come until
 * then. Blocks, for one thread.
 */
public final class BackupRun {
    /**
     * The longest hold of the archive's writers. By default a Redis server that has nothing else to finish begins its
     * snapshot within 5 s.
     */
    private static final Duration HOLD_MAX = Duration.ofSeconds(10);

    /** For a transaction of the service. */
    private static final Duration WRITER_MAX = Duration.ofSeconds(30);

    private static final long PROGRESS_SECONDS = 5;

    private final Sources sources;
    private final Path file;
    private final String version;
    private final InstantSource clock;
    private final Consumer<String> progress;

    /**
     * The sources of a backup.
     *
     * @param redis leads to a user who may replicate
     * @param archive address of the database, empty = there is none
     * @param media folder of the pictures; empty = they are left out
     * @param key file of the signing key; empty = it is left out
     */
    public record Sources(RedisOptions redis, String archive, Optional<Path> media, Optional<Path> key) {}

    /**
     * @param version of this program
     * @param progress is told each step, as a line for people
     */
    public BackupRun(Sources sources, Path file, String version, InstantSource clock, Consumer<String> progress) {
        this.sources = sources;
        this.file = file;
        this.version = version;
        this.clock = clock;
        this.progress = progress;
    }

    /** Fails with a {@link StartFailed} or a {@code RedisError}, and leaves nothing behind. */
    public Manifest run() throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new StartFailed("there is no folder " + folder);
        }
        Instant began = clock.instant();
        Path spool = BackupWriter.spool(file);
        try (BackupWriter writer = BackupWriter.create(file)) {
            // Ctrl-C leaves nothing behind either.
            Thread interrupted = new Thread(() -> removeAll(writer, spool), "backup-interrupted");
            Runtime.getRuntime().addShutdownHook(interrupted);
            try (RedisSnapshots redis = RedisSnapshots.open(sources.redis())) {
                // One that a killed backup has left.
                PrivateFiles.remove(spool);
                PrivateFiles.createDirectories(spool);
                return run(writer, redis, spool, began);
            } finally {
                PrivateFiles.remove(spool);
                boolean unused = Runtime.getRuntime().removeShutdownHook(interrupted);
            }
        }
    }

    private static void removeAll(BackupWriter writer, Path spool) {
        try {
            writer.close();
            PrivateFiles.remove(spool);
        } catch (IOException e) {
            System.err.println("remove " + spool + ": " + Reason.of(e));
        }
    }

    private Manifest run(BackupWriter writer, RedisSnapshots redis, Path spool, Instant began) throws IOException {
        int shards = redis.shards();
        Optional<MediaFolder> media = sources.media().map(path -> new MediaFolder(path, writer));
        if (media.isPresent()) {
            media.get().requireMemory(Runtime.getRuntime().maxMemory());
            media.get().pass();
            progress.accept(pictures(media.get()));
            // Again, since the first pass may have taken long: the next one has less to do between the moments.
            media.get().pass();
        }
        Path archive = spool.resolve("archive.db");
        Instant moment;
        boolean archived = false;
        try (Held held = hold()) {
            CompletableFuture<Void> begun = redis.begin(spool);
            awaitBegun(begun, held);
            moment = clock.instant();
            held.release();
            progress.accept("redis and the archive are at " + moment);
            if (media.isPresent()) {
                media.get().pass();
            }
            archived = held.copy(archive);
        }
        List<RedisSnapshots.Taken> taken = awaitRedis(redis);
        List<Manifest.RedisPart> parts = new ArrayList<>();
        for (RedisSnapshots.Taken each : taken) {
            Manifest.Part part = writer.add("redis/" + each.file().getFileName(), each.file());
            parts.add(new Manifest.RedisPart(part, each.node(), each.version()));
            Files.delete(each.file());
        }
        Optional<Manifest.Part> archivePart =
                archived ? Optional.of(writer.add("archive.db", archive)) : Optional.empty();
        Optional<Manifest.Part> key = sources.key().isPresent()
                ? Optional.of(writer.add("signing-key", sources.key().get()))
                : Optional.empty();
        Manifest manifest = new Manifest(
                version,
                began,
                moment,
                clock.instant(),
                DataFormat.NOW,
                shards,
                sources.redis().namespace().name(),
                parts,
                kind(),
                archivePart,
                media.map(MediaFolder::total),
                key);
        Manifest.Part unused = writer.add(Manifest.NAME, json(manifest), true);
        writer.finish();
        return manifest;
    }

    private static InputStream json(Manifest manifest) {
        return new ByteArrayInputStream(manifest.json().encodePrettily().getBytes(StandardCharsets.UTF_8));
    }

    private static String pictures(MediaFolder media) {
        Manifest.Pictures total = media.total();
        return String.format("pictures: %,d files, %,d bytes", total.files(), total.bytes());
    }

    private Manifest.ArchiveKind kind() {
        if (sources.archive().isEmpty()) {
            return Manifest.ArchiveKind.NONE;
        }
        return SqliteSnapshot.file(sources.archive()) == null
                ? Manifest.ArchiveKind.POSTGRESQL
                : Manifest.ArchiveKind.SQLITE;
    }

    /** The archive, when this command copies it. */
    private record Held(SqliteSnapshot archiveOrNull) implements AutoCloseable {
        void letWrite() {
            if (archiveOrNull != null) {
                archiveOrNull.letWrite();
            }
        }

        void release() {
            if (archiveOrNull != null) {
                archiveOrNull.release();
            }
        }

        boolean copy(Path to) throws IOException {
            if (archiveOrNull == null) {
                return false;
            }
            PrivateFiles.create(to);
            archiveOrNull.copy(to);
            return true;
        }

        @Override
        public void close() {
            if (archiveOrNull != null) {
                archiveOrNull.close();
            }
        }
    }

    private Held hold() {
        Path archive = SqliteSnapshot.file(sources.archive());
        return new Held(archive == null || !Files.exists(archive) ? null : SqliteSnapshot.hold(archive, WRITER_MAX));
    }

    /**
     * A server that rewrites its file, or writes one for somebody else, begins when it is done: the archive is not held
     * for so long. Then its copy is of a moment after that of Redis, never before.
     */
    private void awaitBegun(CompletableFuture<Void> begun, Held held) {
        try {
            Void unused = begun.get(HOLD_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            held.letWrite();
            progress.accept(
                    "redis has not begun yet: a server that rewrites its file, or writes one for a replica or another backup, begins when it is done");
            Void unused = unwrapped(begun);
        } catch (ExecutionException e) {
            Void unused = unwrapped(begun);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailed("the backup was interrupted");
        }
    }

    /** Waits for it; fails as it does. */
    static <T> T unwrapped(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException io) {
                throw new UncheckedIOException(io);
            }
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : e;
        }
    }

    private List<RedisSnapshots.Taken> awaitRedis(RedisSnapshots redis) {
        CompletableFuture<List<RedisSnapshots.Taken>> finished = CompletableFuture.supplyAsync(redis::finish);
        while (true) {
            try {
                List<RedisSnapshots.Taken> taken = finished.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
                progress.accept(bytes(redis));
                return taken;
            } catch (TimeoutException underWay) {
                progress.accept(bytes(redis));
            } catch (ExecutionException e) {
                return unwrapped(finished);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StartFailed("the backup was interrupted");
            }
        }
    }

    private static String bytes(RedisSnapshots redis) {
        return String.format("redis: %,d bytes", redis.bytes());
    }
}
