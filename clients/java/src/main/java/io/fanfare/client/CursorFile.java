package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.stream.Cursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a cursor in a file, which a crash leaves whole: the former or the new one. Effects before {@link #write} happen
 * at least once; give them an Idempotency-Key of the event, or store the cursor in the database of the effects instead.
 */
public final class CursorFile {
    private static final long BYTES_MAX = 200;

    private final Path file;

    /** @param file need not exist; its folder does */
    public CursorFile(Path file) {
        this.file = Arguments.present(file, "the file").toAbsolutePath();
    }

    /** The stored cursor; {@link Cursor#NONE} without a file. */
    public Cursor read() {
        try {
            if (!Files.exists(file)) {
                return Cursor.NONE;
            }
            Arguments.check(Files.size(file) <= BYTES_MAX, file + " is no file of a cursor: it is too large");
            return new Cursor(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** A crash leaves the former or the new cursor. */
    public void write(Cursor cursor) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(cursor.value());
            while (bytes.hasRemaining()) {
                int unused = out.write(bytes);
            }
            out.force(true);
            Path unused = Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }
}
