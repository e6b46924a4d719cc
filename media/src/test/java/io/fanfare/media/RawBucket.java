package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** The requests to a bucket by whatever key, as {@link S3Client} makes them for pictures. */
public final class RawBucket implements AutoCloseable {
    private final S3Client client;

    public RawBucket(Vertx vertx, Settings.S3 settings) {
        client = new S3Client(vertx, settings, new Random(1), InstantSource.system());
    }

    /**
     * Stores a file.
     *
     * @param path how the key is written in an address
     */
    public void put(String path, Path file, String type) throws IOException {
        TestRedis.await(client.put(path, file, Files.size(file), Map.of("Content-Type", type)));
    }

    public OptionalLong size(String path) {
        return TestRedis.await(client.size(path));
    }

    public Optional<Buffer> get(String path, long from, long length) {
        return TestRedis.await(client.get(path, from, length)
                .compose(body -> body.isEmpty()
                        ? Future.succeededFuture(Optional.<Buffer>empty())
                        : whole(body.get().response())));
    }

    private static Future<Optional<Buffer>> whole(HttpClientResponse paused) {
        Future<Optional<Buffer>> body = paused.body().map(Optional::of);
        HttpClientResponse unused = paused.resume();
        return body;
    }

    public void delete(String path) {
        TestRedis.await(client.delete(path));
    }

    @Override
    public void close() {
        TestRedis.await(client.close());
    }
}
