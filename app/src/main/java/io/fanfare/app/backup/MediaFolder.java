package io.fanfare.app.backup;

import io.fanfare.common.media.MediaName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Copies the pictures of a service that runs. A file never changes; it comes, and some day it is deleted. So each pass
 * adds the files that the passes before have not seen, and the copy has every file that was there during a pass.
 */
final class MediaFolder {
    private static final String PREFIX = "media/";
    private static final String SHARD = "[0-9a-f][0-9a-f]";

    private final Path folder;
    private final BackupWriter writer;
    private final Set<String> seen = new HashSet<>();
    private long files;
    private long bytes;

    MediaFolder(Path folder, BackupWriter writer) {
        this.folder = folder;
        this.writer = writer;
    }

    /** Adds what is new. */
    void pass() throws IOException {
        for (Path shard : list(folder, SHARD)) {
            for (Path inner : list(shard, SHARD)) {
                for (Path file : list(inner, "*")) {
                    String name = file.getFileName().toString();
                    if (MediaName.isName(name) && seen.add(name)) {
                        add(name, file);
                    }
                }
            }
        }
    }

    private void add(String name, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            bytes += writer.add(PREFIX + name, in, false).bytes();
            files++;
        } catch (NoSuchFileException deleted) {
            // Between the listing and now.
        }
    }

    /** In no order; empty when the folder is missing. */
    private static Iterable<Path> list(Path folder, String glob) throws IOException {
        Set<Path> paths = new HashSet<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(paths::add);
        } catch (NoSuchFileException | NotDirectoryException none) {
            return Set.of();
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

    /** Where the service looks for a picture, as {@code DiskMediaStore} has it. */
    static Path place(Path folder, String name) {
        return folder.resolve(name.substring(0, 2))
                .resolve(name.substring(2, 4))
                .resolve(name);
    }
}
