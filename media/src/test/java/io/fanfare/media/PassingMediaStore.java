package io.fanfare.media;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** A store that does what another does, for tests that change some of it. */
public class PassingMediaStore implements MediaStore {
    private final MediaStore store;

    public PassingMediaStore(MediaStore store) {
        this.store = store;
    }

    @Override
    public Path draft() {
        return store.draft();
    }

    @Override
    public Future<Void> publish(Path draft, String name) {
        return store.publish(draft, name);
    }

    @Override
    public Future<Optional<StoredFile>> find(String name) {
        return store.find(name);
    }

    @Override
    public Future<Boolean> fetch(String name, Path draft) {
        return store.fetch(name, draft);
    }

    @Override
    public Future<Void> delete(String name) {
        return store.delete(name);
    }

    @Override
    public Future<Void> deleteDrafts(Instant before) {
        return store.deleteDrafts(before);
    }
}
