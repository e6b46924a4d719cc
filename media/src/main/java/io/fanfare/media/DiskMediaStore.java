package io.fanfare.media;

import io.fanfare.common.model.MediaName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Files in a folder: {@code ab/cd/abcd...jpg}, so that no folder has more than 256 others or a few thousand files of
 * millions. Drafts lie in {@code tmp} on the same file system, so that a move is one step. The methods block. Safe for
 * every thread.
 */
public final class DiskMediaStore {
    private final Path folder;
    private final TempFiles tempFiles;

    private DiskMediaStore(Path folder, RandomGenerator random) {
        this.folder = folder;
        this.tempFiles = new TempFiles(folder, random);
    }

    /**
     * In this folder, which is made if need be.
     *
     * @param random names drafts
     */
    public static DiskMediaStore in(Path folder, RandomGenerator random) {
        return new DiskMediaStore(folder.toAbsolutePath().normalize(), random);
    }

    /**
     * Whether what this process would add to the folder has the owner of what the service has made there. Files and
     * folders are for their owner alone, so that the service could not read those of another one. Leaves nothing
     * behind. {@code IOException} when nothing can be added.
     */
    public static boolean isOwn(Path folder) throws IOException {
        Path tempFiles = TempFiles.in(folder);
        Path made = Files.isDirectory(tempFiles) ? tempFiles : folder;
        if (!made.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return true;
        }
        Path probe = Files.createTempFile(made, "owner", null);
        try {
            return Files.getOwner(probe).equals(Files.getOwner(made));
        } finally {
            boolean unused = Files.deleteIfExists(probe);
        }
    }

    /** A path for a file that is being made, which no reader sees. */
    public Path draft() {
        return tempFiles.draft();
    }

    /** Moves a draft, which is whole on the disk, to its name: for good when this returns. */
    public void publish(Path draft, String name) throws IOException {
        Path place = MediaName.place(folder, name);
        Path shard = place.getParent();
        if (!Files.isDirectory(shard)) {
            TempFiles.makeFolder(shard);
            sync(folder);
            sync(shard.getParent());
        }
        Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
        sync(shard);
    }

    /** The file of this name, if there is one. */
    public Optional<Path> find(String name) {
        Path place = MediaName.place(folder, name);
        return Files.isRegularFile(place) ? Optional.of(place) : Optional.empty();
    }

    /** Copies the file of this name to a draft. False when there is none. */
    public boolean fetch(String name, Path draft) throws IOException {
        try {
            Path unused = Files.copy(MediaName.place(folder, name), draft, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    /** Deletes a picture, its small size too, or a source. What is gone already is no mistake. */
    public void delete(String name) throws IOException {
        boolean unused = Files.deleteIfExists(MediaName.place(folder, name));
        if (!MediaName.isSource(name)) {
            boolean unusedToo = Files.deleteIfExists(MediaName.place(folder, MediaName.small(name)));
        }
    }

    /** Deletes drafts that nobody has written to since. */
    public void deleteDrafts(Instant before) throws IOException {
        tempFiles.deleteOlder(before);
    }

    /** A file is found after a crash once its folder is on the disk. */
    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
