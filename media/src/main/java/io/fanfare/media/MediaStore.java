package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The store of the files of pictures. A file never changes, and its name is never given again. No method holds up the
 * caller, and each future completes on the caller's context. Safe for every thread.
 */
public interface MediaStore {
    /**
     * The store that the settings name: a bucket, or else a folder.
     *
     * @param random names drafts and spreads retries
     * @param clock signs requests to a bucket
     */
    static MediaStore of(Vertx vertx, Settings.Media settings, RandomGenerator random, InstantSource clock) {
        Path folder = settings.directory().isEmpty() ? null : Path.of(settings.directory());
        return settings.s3().isSet()
                ? new S3MediaStore(
                        vertx, new S3Client(vertx, settings.s3(), random, clock), new TempFiles(folder, random))
                : new FolderMediaStore(vertx, DiskMediaStore.in(folder, random));
    }

    /** A path on this machine for a file that is being made, which no reader sees. The call is short, but blocks. */
    Path draft();

    /**
     * Gives a draft, which is whole on the disk, its name: for good when this completes. The draft is gone then; when
     * this fails it may be there or not.
     */
    Future<Void> publish(Path draft, String name);

    /** The file of this name, if there is one. */
    Future<Optional<StoredFile>> find(String name);

    /**
     * Copies the file of this name to a draft, which the caller deletes. False when there is none: then nothing is
     * left.
     */
    Future<Boolean> fetch(String name, Path draft);

    /** Deletes a picture, its small size too, or a source. What is gone already is no mistake. */
    Future<Void> delete(String name);

    /** Deletes drafts that nobody has written to since. */
    Future<Void> deleteDrafts(Instant before);
}
