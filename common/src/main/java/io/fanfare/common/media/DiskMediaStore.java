package io.fanfare.common.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Files in a folder: {@code ab/cd/abcd...jpg}, so that no folder has more than 256 others or a few thousand files of
 * millions. Drafts lie in {@code tmp} on the same file system, so that a move is one step.
 */
public final class DiskMediaStore implements MediaStore {
    private static final String DRAFTS = "tmp";

    private final Path folder;
    private final Path drafts;
    private final RandomGenerator random;

    private DiskMediaStore(Path folder, RandomGenerator random) {
        this.random = random;
        this.folder = folder;
        this.drafts = folder.resolve(DRAFTS);
    }

    /**
     * In this folder, which is made if need be.
     *
     * @param random names drafts
     */
    public static DiskMediaStore in(Path folder, RandomGenerator random) {
        DiskMediaStore store = new DiskMediaStore(folder.toAbsolutePath().normalize(), random);
        try {
            makeFolder(store.drafts);
        } catch (IOException e) {
            throw new UncheckedIOException("media.directory cannot be used: " + e.getMessage(), e);
        }
        return store;
    }

    /**
     * Whether what this process would add to the folder has the owner of what the service has made there. Files and
     * folders are for their owner alone, so that the service could not read those of another one. Leaves nothing
     * behind. {@code IOException} when nothing can be added.
     */
    public static boolean isOwn(Path folder) throws IOException {
        Path drafts = folder.resolve(DRAFTS);
        Path made = Files.isDirectory(drafts) ? drafts : folder;
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

    @Override
    public Path draft() {
        byte[] name = new byte[16];
        random.nextBytes(name);
        return drafts.resolve(HexFormat.of().formatHex(name));
    }

    @Override
    public void publish(Path draft, String name) throws IOException {
        Path place = MediaName.place(folder, name);
        Path shard = place.getParent();
        if (!Files.isDirectory(shard)) {
            makeFolder(shard);
            sync(folder);
            sync(shard.getParent());
        }
        Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
        sync(shard);
    }

    @Override
    public Optional<Path> find(String name) {
        Path place = MediaName.place(folder, name);
        return Files.isRegularFile(place) ? Optional.of(place) : Optional.empty();
    }

    @Override
    public void delete(String name) throws IOException {
        boolean unused = Files.deleteIfExists(MediaName.place(folder, name));
        boolean unusedToo = Files.deleteIfExists(MediaName.place(folder, MediaName.small(name)));
    }

    @Override
    public void deleteDrafts(Instant before) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(drafts)) {
            for (Path file : files) {
                if (isOlder(file, before)) {
                    boolean unused = Files.deleteIfExists(file);
                }
            }
        }
    }

    private static boolean isOlder(Path file, Instant moment) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(moment);
        } catch (NoSuchFileException published) {
            return false;
        }
    }

    /** For its owner alone, where the file system knows owners. */
    private static void makeFolder(Path path) throws IOException {
        FileSystem system = path.getFileSystem();
        if (system.supportedFileAttributeViews().contains("posix")) {
            Path unused = Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Path unused = Files.createDirectories(path);
        }
    }

    /** A file is found after a crash once its folder is on the disk. */
    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
