package io.fanfare.app;

import io.fanfare.common.embedded.PrivateFiles;
import io.fanfare.common.runtime.RuntimeFile;
import io.fanfare.common.runtime.StartFailed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The folder that one service owns while it runs: held by a lock that ends with the process, however it ends. */
final class DataFolder implements AutoCloseable {
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
            RuntimeFile.remove(path);
            return new DataFolder(path, lock);
        } catch (IOException e) {
            throw new StartFailed(
                    "the data folder " + path + " cannot be used (" + e + "): choose another one with --data DIR");
        }
    }

    Path path() {
        return path;
    }

    /** From now on other processes find the service. */
    void announce(RuntimeFile runtime) {
        try {
            runtime.write(path);
        } catch (IOException e) {
            throw new StartFailed("cannot write into the data folder " + path + ": " + e);
        }
    }

    @Override
    public void close() throws IOException {
        RuntimeFile.remove(path);
        lock.acquiredBy().close();
    }

    private static String where(Path path) {
        return RuntimeFile.read(path)
                .map(running -> " (pid " + running.pid() + ", " + running.httpUrl() + ")")
                .orElse("");
    }
}
