package io.fanfare.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * The native library of SQLite, unpacked once into a folder of the data. By itself the driver unpacks it into the
 * temporary folder at each start, and leaves it there when the process is killed. Where the file cannot be loaded, for
 * example from a file system without the right to execute, the driver does that still.
 */
public final class SqliteLibrary {
    // Of the driver. Who sets one of them wants something else.
    private static final String FOLDER = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";
    private static final String TEMPORARY = "org.sqlite.tmpdir";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int CHECKSUM_DIGITS = 8;

    private SqliteLibrary() {}

    /**
     * Has the driver load the library from the folder, and makes both when they are missing. Before the first
     * connection.
     *
     * @param alone whether no other process can be making a file there: then all other files are removed, which earlier
     *     versions have left, or processes that were killed
     */
    public static void unpack(Path folder, boolean alone) throws IOException {
        if (Stream.of(FOLDER, NAME, TEMPORARY).anyMatch(property -> System.getProperty(property) != null)) {
            return;
        }
        byte[] library = library();
        if (library.length == 0) {
            return;
        }
        Path file = make(folder, library, alone);
        System.setProperty(FOLDER, file.toAbsolutePath().getParent().toString());
        System.setProperty(NAME, file.getFileName().toString());
    }

    /** The library for this machine; empty = the driver has none. */
    static byte[] library() throws IOException {
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
        try (InputStream in = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
            return in == null ? new byte[0] : in.readAllBytes();
        }
    }

    /** The file with these bytes; its name has their checksum, so that processes of two versions each find theirs. */
    static Path make(Path folder, byte[] library, boolean alone) throws IOException {
        Path unused = Files.createDirectories(folder, OWNER);
        Path file = folder.resolve(checksum(library) + "-" + LibraryLoaderUtil.getNativeLibName());
        if (alone) {
            for (Path other : others(folder, file)) {
                Files.delete(other);
            }
        }
        // A power cut may have left a part of it.
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), library)) {
            Path part = Files.createTempFile(folder, "part", null, OWNER);
            Path written = Files.write(part, library);
            Path moved = Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            return moved;
        }
        return file;
    }

    private static List<Path> others(Path folder, Path file) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(other -> !other.equals(file)).toList();
        }
    }

    /** No defence: the bytes are compared. A start has a checksum for nothing, and SHA-256 for some 30 ms. */
    private static String checksum(byte[] library) {
        CRC32 crc = new CRC32();
        crc.update(library);
        return HexFormat.of().toHexDigits(crc.getValue(), CHECKSUM_DIGITS);
    }
}
