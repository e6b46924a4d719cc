package io.fanfare.redis.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Files and folders that their owner alone may read: 0600 and 0700, whatever the umask of the process is. */
public final class PrivateFiles {
    /** Begins the command line of a child whose files shall be like that; the JVM cannot set a umask. */
    static final List<String> UMASK = List.of("/bin/sh", "-c", "umask 077; exec \"$@\"", "sh");

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    /** An empty file; fails when there is one. */
    public static void create(Path file) throws IOException {
        Path unused = Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
    }

    /** The folder, and what is missing above it; those that are there stay as they are. */
    public static void createDirectories(Path dir) throws IOException {
        Path unused = Files.createDirectories(dir, PosixFilePermissions.asFileAttribute(DIRECTORY));
    }

    /** Removes a folder with all that is in it, if there is one. */
    public static void remove(Path dir) throws IOException {
        if (Files.isDirectory(dir)) {
            try (Stream<Path> paths = Files.walk(dir)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /**
     * Takes everybody else's rights to a folder of ours and to all that is in it: earlier releases wrote with the umask
     * of their process.
     */
    public static void restrict(Path dir) throws IOException {
        try (Stream<Path> paths = Files.walk(dir)) {
            for (Path path : paths.toList()) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    Path unused = Files.setPosixFilePermissions(path, DIRECTORY);
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    Path unused = Files.setPosixFilePermissions(path, FILE);
                }
            }
        }
    }
}
