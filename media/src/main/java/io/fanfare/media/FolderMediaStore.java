package io.fanfare.media;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A folder, which the worker threads read and write. */
public final class FolderMediaStore implements MediaStore {
    private final Vertx vertx;
    private final DiskMediaStore disk;

    public FolderMediaStore(Vertx vertx, DiskMediaStore disk) {
        this.vertx = vertx;
        this.disk = disk;
    }

    @Override
    public Path draft() {
        return disk.draft();
    }

    @Override
    public Future<Void> publish(Path draft, String name) {
        return blocking(() -> {
            disk.publish(draft, name);
            return null;
        });
    }

    @Override
    public Future<Optional<StoredFile>> find(String name) {
        return blocking(() -> {
            Optional<Path> path = disk.find(name);
            return path.isEmpty() ? Optional.empty() : Optional.of(new DiskFile(path.get(), Files.size(path.get())));
        });
    }

    @Override
    public Future<Boolean> fetch(String name, Path draft) {
        return blocking(() -> disk.fetch(name, draft));
    }

    @Override
    public Future<Void> delete(String name) {
        return blocking(() -> {
            disk.delete(name);
            return null;
        });
    }

    @Override
    public Future<Void> deleteDrafts(Instant before) {
        return blocking(() -> {
            disk.deleteDrafts(before);
            return null;
        });
    }

    private <T> Future<T> blocking(Callable<T> task) {
        return vertx.executeBlocking(task, /* ordered= */ false);
    }
}
