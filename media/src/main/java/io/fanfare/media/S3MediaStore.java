package io.fanfare.media;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An S3-compatible bucket. Its keys are the paths of {@link DiskMediaStore}, so that either can be copied to the other.
 * Drafts lie on this machine.
 */
public final class S3MediaStore implements MediaStore {
    private static final Logger LOG = LoggerFactory.getLogger(S3MediaStore.class);

    /** For clients that get a file from the bucket itself. */
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    private static final String NOT_FOR_READERS = "private, no-store";

    /** Lengths that are remembered, since a file never changes; each takes some 150 bytes. */
    private static final int SIZES_MAX = 20_000;

    private static final Duration SIZES_KEPT = Duration.ofHours(1);
    private static final long RETRY_SECONDS = 5;

    private final Vertx vertx;
    private final S3Client bucket;
    private final TempFiles tempFiles;
    private final Cache<String, Long> sizes;
    // Read and written by several event loops: a line more or less in the log is no harm.
    private volatile boolean away;

    S3MediaStore(Vertx vertx, S3Client bucket, TempFiles tempFiles) {
        this.vertx = vertx;
        this.bucket = bucket;
        this.tempFiles = tempFiles;
        this.sizes = Caffeine.newBuilder()
                .maximumSize(SIZES_MAX)
                .expireAfterWrite(SIZES_KEPT)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public Path draft() {
        return tempFiles.draft();
    }

    @Override
    public Future<Void> publish(Path draft, String name) {
        String cached = MediaName.isSource(name) ? NOT_FOR_READERS : FOR_EVER;
        Map<String, String> headers = Map.of("Content-Type", MediaName.type(name), "Cache-Control", cached);
        return vertx.executeBlocking(() -> Files.size(draft), /* ordered= */ false)
                .compose(bytes -> noted(bucket.put(MediaName.key(name), draft, bytes, headers))
                        .onSuccess(stored -> sizes.put(name, bytes)))
                .compose(stored -> vertx.executeBlocking(
                        () -> {
                            boolean unused = Files.deleteIfExists(draft);
                            return null;
                        },
                        /* ordered= */ false));
    }

    @Override
    public Future<Optional<StoredFile>> find(String name) {
        Long known = sizes.getIfPresent(name);
        if (known != null) {
            return Future.succeededFuture(Optional.of(new S3File(name, known)));
        }
        return noted(bucket.size(MediaName.key(name))).map(found -> {
            if (found.isEmpty()) {
                return Optional.empty();
            }
            sizes.put(name, found.getAsLong());
            return Optional.of(new S3File(name, found.getAsLong()));
        });
    }

    @Override
    public Future<Boolean> fetch(String name, Path draft) {
        return find(name)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(false)
                        : noted(bucket.fetch(MediaName.key(name), found.get().bytes(), draft)))
                .onSuccess(there -> {
                    if (!there) {
                        sizes.invalidate(name);
                    }
                });
    }

    @Override
    public Future<Void> delete(String name) {
        sizes.invalidate(name);
        if (MediaName.isSource(name)) {
            return bucket.delete(MediaName.key(name));
        }
        String small = MediaName.small(name);
        sizes.invalidate(small);
        return bucket.delete(MediaName.key(name)).compose(gone -> bucket.delete(MediaName.key(small)));
    }

    @Override
    public Future<Void> deleteDrafts(Instant before) {
        return vertx.executeBlocking(
                () -> {
                    tempFiles.deleteOlder(before);
                    return null;
                },
                /* ordered= */ false);
    }

    /** Logs when the bucket stops working and when it works again; clients get an error that invites another try. */
    private <T> Future<T> noted(Future<T> request) {
        return request.onSuccess(answered -> {
                    if (away) {
                        away = false;
                        LOG.info("the bucket of pictures works again");
                    }
                })
                .recover(cause -> {
                    if (!away) {
                        away = true;
                        LOG.warn("the bucket of pictures does not work cause={}", cause.getMessage());
                    }
                    return Future.failedFuture(Refusal.overloaded(
                            "The store of pictures does not answer at the moment: try again in a few seconds.",
                            RETRY_SECONDS));
                });
    }

    /** A file of the bucket, as long as its length is remembered. */
    private final class S3File implements StoredFile {
        private final String name;
        private final long bytes;

        private S3File(String name, long bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public Future<Optional<Part>> open(long from, long length) {
            return noted(bucket.get(MediaName.key(name), from, length)).map(body -> {
                if (body.isEmpty()) {
                    sizes.invalidate(name);
                    return Optional.empty();
                }
                return Optional.of(new S3Part(body.get(), length));
            });
        }

        @Override
        public Future<Optional<Buffer>> read(Vertx unused, long from, int length) {
            return noted(bucket.get(MediaName.key(name), from, length)
                    .compose(body -> body.isEmpty()
                            ? Future.succeededFuture(Optional.empty())
                            : whole(body.get()).map(Optional::of)));
        }
    }

    private static Future<Buffer> whole(S3Client.Body paused) {
        Future<Buffer> whole = paused.response().body();
        HttpClientResponse unused = paused.response().resume();
        return whole;
    }

    private record S3Part(S3Client.Body body, long length) implements StoredFile.Part {
        @Override
        public Future<Void> sendTo(HttpServerResponse response) {
            // Half a file must not look like a whole one.
            return body.response().pipe().endOnFailure(false).to(response).onFailure(cause -> close());
        }

        @Override
        public void close() {
            S3Client.reset(body.request());
        }
    }
}
