package io.fanfare.app;

import io.fanfare.archive.SqliteLibrary;
import io.fanfare.failure.Reason;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder that one service owns while it runs: held by a lock that ends with the process, however it ends. */
final class DataFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

    /** Between tries to announce a service on a full disk. */
    private static final Duration ANNOUNCE_AGAIN = Duration.ofSeconds(2);

    /** Is in the folder while it is restored: nothing may be started on half of the data. */
    private static final String INCOMPLETE = "restore-incomplete";

    /** The data of its redis-server. */
    static final String REDIS_DATA = "redis/appendonlydir";

    /** Entries that a new file system has at its root. */
    private static final Set<String> NO_DATA = Set.of("lost+found");

    private final Path path;
    private final FileLock lock;

    private DataFolder(Path path, FileLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder when it is missing, readable for its owner only, and takes it; fails with {@link StartFailed}
     * when another process has it.
     */
    static DataFolder take(Path data) {
        Path path = data.toAbsolutePath().normalize();
        try {
            PrivateFiles.createDirectories(path);
            Path file = path.resolve("lock");
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            PrivateFiles.restrict(file);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new StartFailed("another fanfare runs on " + path + where(path)
                        + ": stop it first, or choose another folder with --data DIR");
            }
            if (Files.exists(path.resolve(INCOMPLETE))) {
                channel.close();
                throw new StartFailed("a restore into " + path
                        + " was cut off, and the folder lacks data: remove it, and run fanfare restore again");
            }
            requireFormat(path, channel);
            RuntimeFile.remove(path);
            return new DataFolder(path, lock);
        } catch (IOException e) {
            throw new StartFailed("the data folder " + path + " cannot be used (" + Reason.of(e)
                    + "): choose another one with --data DIR");
        }
    }

    /** On a full disk the mark is written by a later start. */
    private static void requireFormat(Path path, FileChannel channel) throws IOException {
        try {
            FormatFile.require(path);
        } catch (StartFailed e) {
            channel.close();
            throw e;
        }
        if (!Files.exists(path.resolve(REDIS_DATA))) {
            markUnlessFull(path);
        }
    }

    /** Marks a folder that has no mark, once the data of its redis-server has proved to be of this release. */
    void mark() {
        try {
            markUnlessFull(path);
        } catch (IOException e) {
            throw new StartFailed("cannot write into the data folder " + path + ": " + Reason.of(e));
        }
    }

    private static void markUnlessFull(Path path) throws IOException {
        try {
            FormatFile.mark(path);
        } catch (IOException e) {
            if (!FullDiskGate.isOfFullDisk(e)) {
                throw e;
            }
        }
    }

    /** The same for a folder that is missing or empty, and in which nothing can be started before {@link #complete}. */
    static DataFolder takeEmpty(Path data) {
        requireEmpty(data);
        DataFolder folder = take(data);
        try {
            PrivateFiles.create(folder.path.resolve(INCOMPLETE));
            return folder;
        } catch (IOException e) {
            throw new StartFailed("cannot write into the data folder " + data + ": " + Reason.of(e));
        }
    }

    /**
     * Has SQLite's library loaded from {@code DATA/native}; without that, the driver takes the temporary folder.
     *
     * @param alone see {@link SqliteLibrary#unpack}
     */
    static void unpackSqlite(Path data, boolean alone) {
        try {
            SqliteLibrary.unpack(data.resolve("native"), alone);
        } catch (IOException e) {
            LOG.warn("the library of SQLite is unpacked into the temporary folder cause={}", Reason.of(e));
        }
    }

    private static void requireEmpty(Path data) {
        try (Stream<Path> files = Files.list(data)) {
            if (files.anyMatch(file -> !NO_DATA.contains(file.getFileName().toString()))) {
                throw new StartFailed(data + " is not empty, nothing was written: choose a new folder with --data DIR");
            }
        } catch (NoSuchFileException isNew) {
            // It is made.
        } catch (IOException e) {
            throw new StartFailed("the data folder " + data + " cannot be used: " + Reason.of(e));
        }
    }

    /** Makes sure that all restored data is on the disk; only then anything can be started on it. */
    void complete() throws IOException {
        complete(Disk.ofSystem());
    }

    void complete(Disk disk) throws IOException {
        if (!disk.forceAll(path)) {
            forEach(disk::force);
        }
        // The folder may be new.
        Path parent = path.getParent();
        if (parent != null && Files.isReadable(parent)) {
            disk.force(parent);
        }
        Files.delete(path.resolve(INCOMPLETE));
        disk.force(path);
    }

    /** Something to do with each file and folder. */
    interface Step {
        void of(Path path) throws IOException;
    }

    /** Removes all that a failed restore has written; the mark goes last. */
    void clear() throws IOException {
        Path mark = path.resolve(INCOMPLETE);
        forEach(file -> {
            if (!file.equals(path) && !file.equals(mark)) {
                Files.delete(file);
            }
        });
        boolean unused = Files.deleteIfExists(mark);
    }

    /** Each file and folder of ours, a folder after what is in it. There may be millions: none is kept in memory. */
    private void forEach(Step step) throws IOException {
        Path unused = Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean ours = !path.equals(folder.getParent())
                        || !NO_DATA.contains(folder.getFileName().toString());
                return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                step.of(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                step.of(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    Path path() {
        return path;
    }

    /** From now on other processes find the service; on a full disk, as soon as there is room. */
    void announce(RuntimeFile runtime) {
        try {
            runtime.write(path);
        } catch (IOException e) {
            if (!FullDiskGate.isOfFullDisk(e)) {
                throw new StartFailed("cannot write into the data folder " + path + ": " + Reason.of(e));
            }
            LOG.warn("the disk is full: other commands do not find this service until there is room dir={}", path);
            Thread thread = new Thread(() -> announceLater(runtime), "announce");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void announceLater(RuntimeFile runtime) {
        try {
            do {
                Thread.sleep(ANNOUNCE_AGAIN.toMillis());
            } while (!isAnnounced(runtime));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isAnnounced(RuntimeFile runtime) {
        try {
            if (lock.isValid()) {
                runtime.write(path);
            }
            return true;
        } catch (IOException e) {
            LOG.debug("not announced cause={}", e.toString());
            return false;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        RuntimeFile.remove(path);
        lock.acquiredBy().close();
    }

    private static String where(Path path) {
        return RuntimeFile.read(path)
                .map(running -> " (pid " + running.pid() + ", " + running.httpUrl() + ")")
                .orElse("");
    }
}
