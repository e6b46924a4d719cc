package io.fanfare.app.backup;

import io.fanfare.common.model.MediaName;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Copies the pictures of a service that runs. A file never changes; it comes, and some day it is deleted. So each pass
 * adds the files that the passes before have not seen, and the copy has every file that was there during a pass. Memory
 * grows with the number of files.
 */
final class MediaFolder {
    private static final String PREFIX = "media/";
    private static final String SHARD = "[0-9a-f][0-9a-f]";

    /** Heap per file until the zip is complete; measured: 302 bytes for its name and the zip's entry. */
    private static final long FILE_HEAP_BYTES = 320;

    /** Heap for the rest of the command, above its use without pictures. */
    private static final long OTHER_HEAP_BYTES = 64 << 20;

    private final Path folder;
    private final BackupWriter writer;

    /** Names of the pictures in the backup; the zip keeps the same strings. */
    private final Set<String> seen = new HashSet<>();

    private long files;
    private long bytes;

    MediaFolder(Path folder, BackupWriter writer) {
        this.folder = folder;
        this.writer = writer;
    }

    /** Fails with a {@link StartFailed} when the files are too many for a heap of so many bytes. */
    void requireMemory(long heapBytes) throws IOException {
        long count = 0;
        for (Path inner : folders()) {
            for (Path file : list(inner, "*")) {
                count += MediaName.isName(file.getFileName().toString()) ? 1 : 0;
            }
        }
        long needed = OTHER_HEAP_BYTES + count * FILE_HEAP_BYTES;
        if (needed > heapBytes) {
            throw new StartFailed(String.format(
                    "%,d pictures are too many for %,d MB of memory: give the command more with"
                            + " FANFARE_JAVA_OPTS=-Xmx%dm, or copy them with rsync and use --without-pictures",
                    count, heapBytes >> 20, ((needed + needed / 4) >> 20) + 1));
        }
    }

    /** Adds what is new. */
    void pass() throws IOException {
        for (Path inner : folders()) {
            for (Path file : list(inner, "*")) {
                String name = file.getFileName().toString();
                String entry = PREFIX + name;
                if (MediaName.isName(name) && seen.add(entry)) {
                    add(entry, file);
                }
            }
        }
    }

    private List<Path> folders() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (Path shard : list(folder, SHARD)) {
            folders.addAll(list(shard, SHARD));
        }
        return folders;
    }

    private void add(String entry, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            bytes += writer.add(entry, in, false).bytes();
            files++;
        } catch (NoSuchFileException deleted) {
            // Between the listing and now.
        }
    }

    /** In no order; empty when the folder is missing. */
    private static List<Path> list(Path folder, String glob) throws IOException {
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(paths::add);
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        }
        return paths;
    }

    Manifest.Pictures total() {
        return new Manifest.Pictures(files, bytes);
    }

    /** The name of the picture that a file of the backup is; empty when it is none. */
    static String name(String entry) {
        return entry.startsWith(PREFIX) ? entry.substring(PREFIX.length()) : "";
    }
}
