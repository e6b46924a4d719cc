package io.fanfare.server.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes small files that their owner alone may read (0600), whatever the umask of the process is. A reader sees the
 * old file, the new one or none, and several processes may write the same file at once.
 */
public final class PrivateFile {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private PrivateFile() {}

    /** Replaces the file, if there is one. A crash of the machine may undo it. */
    public static void write(Path file, String text) throws IOException {
        write(file, text, /* durable= */ false);
    }

    /** The same; the file is on the disk when this returns. */
    public static void writeDurably(Path file, String text) throws IOException {
        write(file, text, /* durable= */ true);
    }

    private static void write(Path file, String text, boolean durable) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path part = Files.createTempFile(folder, file.getFileName().toString(), ".part", OWNER);
        try {
            try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                if (durable) {
                    out.force(true);
                }
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            boolean unused = Files.deleteIfExists(part);
        }
        if (durable) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }
    }
}
