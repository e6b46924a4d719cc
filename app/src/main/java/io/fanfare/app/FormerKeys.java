package io.fanfare.app;

import io.fanfare.common.keyspace.Keys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds out from the files of a redis-server whether its keys are of format 1, without starting it: a server that has
 * loaded former data deletes what has expired since, and writes a configuration of its own. The key that every data set
 * has ({@link Keys#META}) stands in these files as it is spelled, since Redis compresses no string of its length.
 */
final class FormerKeys {
    static final int FORMAT = 1;

    /** The key without a namespace, as a snapshot and as a command have it. */
    private static final List<String> FORMER =
            List.of((char) Keys.META.length() + Keys.META, "$" + Keys.META.length() + "\r\n" + Keys.META + "\r\n");

    /** The key behind any namespace. */
    private static final String NAMED = ":" + Keys.META;

    private static final int CHUNK_BYTES = 1 << 20;

    /** A text that two chunks share is found in the second one, which begins with the end of the first. */
    private static final int OVERLAP_BYTES = 32;

    private FormerKeys() {}

    /**
     * Whether the key is there without a namespace and nowhere with one. Files that cannot be read count as none: the
     * start that needs them says why.
     *
     * @param folder of the append-only files; may be missing
     */
    static boolean areIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            boolean former = false;
            for (Path file : entries.filter(Files::isRegularFile).toList()) {
                Found found = search(file);
                if (found == Found.NAMED) {
                    return false;
                }
                former |= found == Found.FORMER;
            }
            return former;
        } catch (IOException e) {
            return false;
        }
    }

    private enum Found {
        NOTHING,
        FORMER,
        NAMED
    }

    private static Found search(Path file) throws IOException {
        Found found = Found.NOTHING;
        byte[] bytes = new byte[OVERLAP_BYTES + CHUNK_BYTES];
        int kept = 0;
        try (InputStream in = Files.newInputStream(file)) {
            int read = in.readNBytes(bytes, kept, CHUNK_BYTES);
            while (read > 0) {
                int length = kept + read;
                String chunk = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
                if (chunk.contains(NAMED)) {
                    return Found.NAMED;
                }
                if (FORMER.stream().anyMatch(chunk::contains)) {
                    found = Found.FORMER;
                }
                kept = Math.min(length, OVERLAP_BYTES);
                System.arraycopy(bytes, length - kept, bytes, 0, kept);
                read = in.readNBytes(bytes, kept, CHUNK_BYTES);
            }
        }
        return found;
    }
}
