package io.fanfare.junit5;

import io.fanfare.client.stream.Batch;
import io.fanfare.client.stream.Cursor;
import io.fanfare.client.stream.StreamEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The store of a consumer: its effects and the cursor after them are one line, which a crash leaves whole or cut off. A
 * line that is cut off does not count.
 */
final class Ledger implements AutoCloseable {
    private final FileChannel file;

    Ledger(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
            String text = text(path);
            long whole = text.substring(0, text.lastIndexOf('\n') + 1).getBytes(StandardCharsets.UTF_8).length;
            file.truncate(whole).position(whole);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Cursor cursor(Path path) {
        List<String> lines = lines(path);
        return lines.isEmpty()
                ? Cursor.NONE
                : new Cursor(lines.get(lines.size() - 1).split(" ", -1)[0]);
    }

    /** Names of events with their status, such as {@code status:7}, in the order in which they were stored. */
    static List<String> effects(Path path) {
        List<String> effects = new ArrayList<>();
        for (String line : lines(path)) {
            String[] words = line.split(" ", -1);
            effects.addAll(List.of(words).subList(1, words.length));
        }
        return effects;
    }

    void store(Batch batch) {
        StringBuilder line = new StringBuilder(batch.cursor().value());
        for (StreamEvent event : batch.events()) {
            if (event instanceof StreamEvent.Posted posted) {
                line.append(" status:").append(posted.status().id());
            } else if (event instanceof StreamEvent.Deleted deleted) {
                line.append(" delete:").append(deleted.statusId());
            } else if (event instanceof StreamEvent.Gap gap) {
                line.append(" gap:").append(gap.missed());
            }
        }
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(line.append('\n').toString());
            while (bytes.hasRemaining()) {
                int unused = file.write(bytes);
            }
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path path) {
        try {
            String text = Files.exists(path) ? text(path) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path path) throws IOException {
        return Files.readString(path);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
