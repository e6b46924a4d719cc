package io.fanfare.media;

import io.fanfare.failure.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Files that are being made, on the disk of this machine. The methods block. Safe for every thread. */
final class TempFiles {
    private static final String NAME = "tmp";

    private final RandomGenerator random;
    // Written once, by the first caller that needs it: a second folder that is made at the same moment does no harm.
    private volatile Path folder;

    /**
     * @param parent where they get a folder of their own; null = among the temporary files of the system
     * @param random names them
     */
    TempFiles(Path parent, RandomGenerator random) {
        this.random = random;
        this.folder = parent == null ? null : made(parent);
    }

    /** The folder of drafts in this one, whether it is there or not. */
    static Path in(Path parent) {
        return parent.resolve(NAME);
    }

    private static Path made(Path parent) {
        Path drafts = in(parent.toAbsolutePath().normalize());
        try {
            makeFolder(drafts);
        } catch (IOException e) {
            throw new UncheckedIOException("media.directory cannot be used: " + Reason.of(e), e);
        }
        return drafts;
    }

    /** A path for a new one. */
    Path draft() {
        byte[] name = new byte[16];
        random.nextBytes(name);
        return folder().resolve(HexFormat.of().formatHex(name));
    }

    private Path folder() {
        if (folder == null) {
            try {
                folder = Files.createTempDirectory("fanfare-media");
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "there is no room for temporary files, set media.directory: " + Reason.of(e), e);
            }
        }
        return folder;
    }

    /** Deletes those that nobody has written to since. */
    void deleteOlder(Instant before) throws IOException {
        if (folder == null) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (isOlder(file, before)) {
                    boolean unused = Files.deleteIfExists(file);
                }
            }
        }
    }

    private static boolean isOlder(Path file, Instant moment) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(moment);
        } catch (NoSuchFileException published) {
            return false;
        }
    }

    /** Makes a folder for its owner alone, where the file system knows owners. */
    static void makeFolder(Path path) throws IOException {
        FileSystem system = path.getFileSystem();
        if (system.supportedFileAttributeViews().contains("posix")) {
            Path unused = Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Path unused = Files.createDirectories(path);
        }
    }
}
