package io.fanfare.common.media;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Where the files of pictures are. A file never changes, and its name is never given again. The methods block. Safe for
 * every thread.
 */
public interface MediaStore {
    /** A path for a file that is being made, which no reader sees. */
    Path draft();

    /** Moves a draft, which is whole on the disk, to its name: for good when this returns. */
    void publish(Path draft, String name) throws IOException;

    /** The file of this name, if there is one. */
    Optional<Path> find(String name) throws IOException;

    /** Deletes a picture, its small size too. What is gone already is no mistake. */
    void delete(String name) throws IOException;

    /** Deletes drafts that nobody has written to since. */
    void deleteDrafts(Instant before) throws IOException;
}
