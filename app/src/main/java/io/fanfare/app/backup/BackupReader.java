package io.fanfare.app.backup;

import io.fanfare.common.model.MediaName;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.SigningKeyFile;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.format.DateTimeParseException;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A backup that has been checked: it is whole, as it was written. For one thread. */
public final class BackupReader implements AutoCloseable {
    private static final int TAIL_BYTES = BackupWriter.COMMENT.length() + BackupWriter.DIGITS;

    /** Far more than that of a cluster of a hundred masters; the checksum is no signature, so anybody can make one. */
    private static final int MANIFEST_BYTES_MAX = 1 << 20;

    private static final int CHUNK_BYTES = 1 << 20;

    /**
     * The largest picture or video: the most that {@code media.bytes-max} and {@code media.video-bytes-max} can be set
     * to.
     */
    private static final long FILE_BYTES_MAX = 1L << 30;

    private static final int SHARDS_MAX = 1024;

    private final Path file;
    private final ZipFile zip;
    private final Manifest manifest;

    private BackupReader(Path file, ZipFile zip, Manifest manifest) {
        this.file = file;
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Reads the whole file and compares it with its checksum. Fails with a {@link StartFailed} when it is no backup,
     * truncated, altered or of a release that this one cannot read.
     */
    public static BackupReader open(Path file) throws IOException {
        try {
            verify(file);
            ZipFile zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8);
            try {
                BackupReader reader = new BackupReader(file, zip, manifest(file, zip));
                reader.compareParts();
                return reader;
            } catch (IOException | RuntimeException e) {
                zip.close();
                throw e;
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new StartFailed("there is no file " + file);
        } catch (ZipException e) {
            throw damaged(file, e.getMessage());
        }
    }

    private static void verify(Path file) throws IOException {
        long size = Files.size(file);
        if (Files.isDirectory(file) || size < TAIL_BYTES) {
            throw damaged(file, "it is too short");
        }
        MessageDigest digest = BackupWriter.sha256();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            long left = size - TAIL_BYTES;
            while (left > 0) {
                int read = in.read(chunk, 0, (int) Math.min(left, chunk.length));
                if (read < 0) {
                    throw damaged(file, "it has become shorter");
                }
                digest.update(chunk, 0, read);
                left -= read;
            }
            byte[] tail = in.readNBytes(TAIL_BYTES);
            String text = new String(tail, StandardCharsets.ISO_8859_1);
            if (!text.startsWith(BackupWriter.COMMENT)) {
                throw damaged(file, "its end is not that of a backup");
            }
            digest.update(tail, 0, BackupWriter.COMMENT.length());
            if (!text.endsWith(HexFormat.of().formatHex(digest.digest()))) {
                throw damaged(file, "its checksum differs");
            }
        }
    }

    private static StartFailed damaged(Path file, String why) {
        return new StartFailed(file + " is no whole backup, nothing was written: " + why
                + "; get the file again, or take another one");
    }

    private static Manifest manifest(Path file, ZipFile zip) throws IOException {
        ZipEntry entry = zip.getEntry(Manifest.NAME);
        if (entry == null) {
            throw damaged(file, "it has no " + Manifest.NAME);
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return Manifest.of(new JsonObject(new String(in.readNBytes(MANIFEST_BYTES_MAX), StandardCharsets.UTF_8)));
        } catch (DecodeException
                | NullPointerException
                | ClassCastException
                | DateTimeParseException
                | IllegalArgumentException e) {
            throw damaged(file, "its " + Manifest.NAME + " cannot be read");
        }
    }

    private void compareParts() {
        if (manifest.redis().isEmpty()) {
            throw damaged(file, "its " + Manifest.NAME + " names no snapshot of Redis");
        }
        manifest.redis().forEach(each -> comparePart(each.part()));
        manifest.archivePart().ifPresent(this::comparePart);
        manifest.key().ifPresent(this::comparePart);
        if (zip.size() != manifest.files()) {
            throw damaged(file, "it has " + zip.size() + " files in place of " + manifest.files());
        }
        if (manifest.shards() < 1 || manifest.shards() > SHARDS_MAX || Integer.bitCount(manifest.shards()) != 1) {
            throw damaged(file, "no data has " + manifest.shards() + " shards");
        }
        if (manifest.namespace() == null || !Namespace.isName(manifest.namespace())) {
            throw damaged(file, "no data has such a namespace");
        }
        manifest.key().ifPresent(part -> {
            if (part.bytes() > SigningKeyFile.FILE_BYTES_MAX) {
                throw damaged(file, "its signing key has " + part.bytes() + " bytes");
            }
        });
        comparePictures();
    }

    /** Pictures are in the file as they are, so they are not larger than it, and together as large as it says. */
    private void comparePictures() {
        long bytes = 0;
        long files = 0;
        Enumeration<? extends ZipEntry> entries = zip.entries();
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            if (MediaName.isName(MediaFolder.name(entry.getName()))) {
                if (entry.getSize() < 0 || entry.getSize() > FILE_BYTES_MAX) {
                    throw damaged(file, entry.getName() + " has " + entry.getSize() + " bytes");
                }
                bytes += entry.getSize();
                files++;
            }
        }
        Manifest.Pictures declared = manifest.media().orElse(new Manifest.Pictures(0, 0));
        if (files != declared.files() || bytes != declared.bytes()) {
            throw damaged(
                    file,
                    String.format(
                            "it has %,d pictures with %,d bytes in place of %,d with %,d",
                            files, bytes, declared.files(), declared.bytes()));
        }
    }

    /**
     * Bytes that the parts take on the disk, as they say: none takes more. An archive and snapshots that are far larger
     * than a file with them in it can be are refused when they are read.
     */
    public long bytes() {
        return manifest.redis().stream().mapToLong(each -> each.part().bytes()).sum()
                + manifest.archivePart().map(Manifest.Part::bytes).orElse(0L)
                + manifest.media().map(Manifest.Pictures::bytes).orElse(0L)
                + manifest.key().map(Manifest.Part::bytes).orElse(0L);
    }

    private void comparePart(Manifest.Part part) {
        ZipEntry entry = zip.getEntry(part.name());
        if (entry == null || entry.getSize() != part.bytes()) {
            throw damaged(file, part.name() + " is missing, or has another size");
        }
    }

    public Manifest manifest() {
        return manifest;
    }

    /** Writes a part to a new file for its owner only, and makes sure that it is on the disk; its folder is not yet. */
    public void extract(Manifest.Part part, Path to) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(zip.getInputStream(zip.getEntry(part.name())), BackupWriter.sha256())) {
            write(in, part.name(), part.bytes(), to, true);
            String digest = HexFormat.of().formatHex(in.getMessageDigest().digest());
            if (!digest.equals(part.sha256())) {
                throw damaged(file, part.name() + " has another checksum");
            }
        }
    }

    /** Writes the pictures into a folder of the form that the service reads; they are not on the disk yet. */
    public void extractMedia(Path folder) throws IOException {
        Enumeration<? extends ZipEntry> entries = zip.entries();
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            String name = MediaFolder.name(entry.getName());
            if (MediaName.isName(name)) {
                Path place = MediaName.place(folder, name);
                PrivateFiles.createDirectories(place.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    write(in, entry.getName(), entry.getSize(), place, false);
                }
            }
        }
    }

    /** Exactly so many bytes: a part that inflates to more ends there. */
    private void write(InputStream in, String name, long bytes, Path to, boolean synced) throws IOException {
        PrivateFiles.create(to);
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE);
                OutputStream out = Channels.newOutputStream(channel)) {
            byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, Math.max(1, bytes))];
            long left = bytes;
            while (left > 0) {
                int read = in.read(chunk, 0, (int) Math.min(left, chunk.length));
                if (read < 0) {
                    throw damaged(file, name + " is shorter than it says");
                }
                out.write(chunk, 0, read);
                left -= read;
            }
            if (in.read() >= 0) {
                throw damaged(file, name + " is longer than it says");
            }
            if (synced) {
                channel.force(true);
            }
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
