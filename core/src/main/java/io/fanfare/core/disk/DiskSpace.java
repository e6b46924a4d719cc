package io.fanfare.core.disk;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads how full the volume of a path is. Blocking. */
public interface DiskSpace {
    /**
     * A volume.
     *
     * @param free bytes that this user can still write
     * @param total bytes that it has
     * @param id the same for all paths of one volume
     */
    record Volume(long free, long total, Object id) {
        /** The only volume. */
        public Volume(long free, long total) {
            this(free, total, "");
        }
    }

    /** The volume of a path, or of the nearest folder above it that exists. */
    Volume of(Path path) throws IOException;

    /** That of this machine. */
    static DiskSpace ofSystem() {
        return path -> {
            Path there = path.toAbsolutePath().normalize();
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            // Asks statvfs. A FileStore needs the entry of the volume in the table of mounts, which a chroot does not
            // have.
            File place = there.toFile();
            long total = place.getTotalSpace();
            if (total == 0) {
                throw new IOException("the system reports no size for the disk of " + there);
            }
            return new Volume(place.getUsableSpace(), total, id(there));
        };
    }

    private static Object id(Path path) throws IOException {
        try {
            // One that is mounted in two places is one.
            return Files.getAttribute(path, "unix:dev");
        } catch (UnsupportedOperationException | IllegalArgumentException notOfThisSystem) {
            return path.getRoot();
        }
    }
}
