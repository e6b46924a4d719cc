package io.fanfare.app.backup;

import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a backup: a zip file for its owner only, whose last 64 bytes are the SHA-256 of all before, in hex, at the end
 * of the comment of the zip. So {@code head -c -64 FILE | sha256sum} tells whether the file is whole. It has its name
 * once it is complete and on the disk. For one thread.
 */
final class BackupWriter implements AutoCloseable {
    static final String COMMENT = "Fanfare backup, SHA-256 of all before: ";
    static final int DIGITS = 64;

    /** Behind the name of the file until it is complete. */
    private static final String PART = ".part";

    /** Behind the name of the file: the folder of what is copied into it, as it was read. */
    private static final String SPOOL = ".spool";

    private final Path file;
    private final Path part;
    private final FileChannel channel;
    private final Checksum checksum;
    private final ZipOutputStream zip;
    private boolean complete;

    private BackupWriter(Path file, Path part, FileChannel channel) {
        this.file = file;
        this.part = part;
        this.channel = channel;
        this.checksum = new Checksum(Channels.newOutputStream(channel));
        this.zip = new ZipOutputStream(checksum, StandardCharsets.UTF_8);
    }

    /** Fails when there is a file of this name, or another backup writes it. */
    static BackupWriter create(Path file) throws IOException {
        if (Files.exists(file)) {
            throw taken(file);
        }
        Path part = beside(file, PART);
        if (Files.exists(part)) {
            throw new StartFailed(
                    part + " is there already: another backup writes it, or was cut off; then remove it and "
                            + spool(file) + ", which has data that is not encrypted");
        }
        PrivateFiles.create(part);
        BackupWriter writer = new BackupWriter(
                file, part, FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
        writer.zip.setComment(COMMENT + "0".repeat(DIGITS));
        return writer;
    }

    /** The folder for the parts of a backup until they are written to the file. A killed backup leaves it behind. */
    static Path spool(Path file) {
        return beside(file, SPOOL);
    }

    private static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static StartFailed taken(Path file) {
        return new StartFailed(file + " is there already: choose another name, a backup never overwrites one");
    }

    /** Adds a file, compressed or, where that gains nothing, as it is. */
    Manifest.Part add(String name, InputStream content, boolean compressed) throws IOException {
        zip.setLevel(compressed ? Deflater.BEST_SPEED : Deflater.NO_COMPRESSION);
        zip.putNextEntry(new ZipEntry(name));
        DigestInputStream digested = new DigestInputStream(content, sha256());
        long bytes = digested.transferTo(zip);
        zip.closeEntry();
        return new Manifest.Part(
                name,
                bytes,
                HexFormat.of().formatHex(digested.getMessageDigest().digest()));
    }

    Manifest.Part add(String name, Path content) throws IOException {
        try (InputStream in = Files.newInputStream(content)) {
            return add(name, in, true);
        }
    }

    /**
     * Ends the file, makes sure that it is on the disk, and gives it its name; fails with a {@link StartFailed} when
     * another file has come by that name meanwhile.
     */
    void finish() throws IOException {
        zip.finish();
        zip.flush();
        String digest = checksum.digest();
        try (FileChannel end = FileChannel.open(part, StandardOpenOption.WRITE)) {
            int written =
                    end.write(ByteBuffer.wrap(digest.getBytes(StandardCharsets.US_ASCII)), channel.size() - DIGITS);
            if (written != DIGITS) {
                throw new IOException("the end of " + part + " was not written");
            }
            end.force(true);
        }
        giveName();
        complete = true;
        sync(file.toAbsolutePath().getParent());
    }

    private void giveName() throws IOException {
        try {
            // A move would replace what is there.
            Path unused = Files.createLink(file, part);
        } catch (FileAlreadyExistsException e) {
            throw taken(file);
        } catch (UnsupportedOperationException | FileSystemException e) {
            // A file system without links, such as FAT.
            if (Files.exists(file)) {
                throw taken(file);
            }
            Path unused = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return;
        }
        Files.delete(part);
    }

    /** Removes what is not complete. */
    @Override
    public void close() throws IOException {
        channel.close();
        if (!complete) {
            boolean unused = Files.deleteIfExists(part);
        }
    }

    static void sync(Path folder) throws IOException {
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Passes bytes on, and digests all but the last ones so far. */
    private static final class Checksum extends OutputStream {
        private static final int BUFFER_BYTES = 64 << 10;

        private final OutputStream out;
        private final MessageDigest digest = sha256();
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private int length;

        Checksum(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            int at = from;
            int end = from + count;
            while (at < end) {
                int take = Math.min(end - at, buffer.length - length);
                System.arraycopy(bytes, at, buffer, length, take);
                length += take;
                at += take;
                if (length == buffer.length) {
                    drain(DIGITS);
                }
            }
        }

        /** Writes all but the last so many bytes. */
        private void drain(int kept) throws IOException {
            int ready = length - kept;
            out.write(buffer, 0, ready);
            digest.update(buffer, 0, ready);
            System.arraycopy(buffer, ready, buffer, 0, kept);
            length = kept;
        }

        /** Writes the rest, and returns the digest of all but the last {@link #DIGITS} bytes. */
        String digest() throws IOException {
            drain(DIGITS);
            out.write(buffer, 0, length);
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
