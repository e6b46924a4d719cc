package io.fanfare.media;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.FileNotFoundException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Optional;

/** A file of this machine. */
record DiskFile(Path path, long bytes) implements StoredFile {
    @Override
    public Future<Optional<Part>> open(long from, long length) {
        return Future.succeededFuture(Optional.of(new DiskPart(path, from, length)));
    }

    @Override
    public Future<Optional<Buffer>> read(Vertx vertx, long from, int length) {
        return vertx.executeBlocking(
                () -> {
                    byte[] bytes = new byte[length];
                    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
                        file.seek(from);
                        file.readFully(bytes);
                        return Optional.of(Buffer.buffer(bytes));
                    } catch (FileNotFoundException e) {
                        return Optional.empty();
                    }
                },
                /* ordered= */ false);
    }

    /** Opened when it is sent. */
    private record DiskPart(Path path, long from, long length) implements Part {
        @Override
        public Future<Void> sendTo(HttpServerResponse response) {
            return response.sendFile(path.toString(), from, length);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
