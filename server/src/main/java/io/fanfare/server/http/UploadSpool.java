package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.failure.Reason;
import io.fanfare.media.ClipLimit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of a request on its way to the disk. What has come is written in pieces off the event loop, one after the
 * other; meanwhile little more is taken. Confined to one event loop.
 */
final class UploadSpool {
    /** Beyond this the sender waits. */
    private static final int WAITING_BYTES_MAX = 256 << 10;

    private static final int RETRY_SECONDS = 60;
    private static final Logger LOG = LoggerFactory.getLogger(UploadSpool.class);

    private final Vertx vertx;
    private final Path path;
    private final FileLimits limits;
    private final IntConsumer onWritten;
    private final Promise<Void> settled = Promise.promise();
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private final ByteArrayOutputStream head = new ByteArrayOutputStream(ClipLimit.HEAD_BYTES);
    private long received;
    private boolean writing;
    private boolean ended;
    private Throwable failure;

    /**
     * @param limits of its length
     * @param onWritten receives the number of bytes of memory that are free again
     */
    UploadSpool(Vertx vertx, Path path, FileLimits limits, IntConsumer onWritten) {
        this.vertx = vertx;
        this.path = path;
        this.limits = limits;
        this.onWritten = onWritten;
    }

    UploadedFile file() {
        return new UploadedFile(path, received);
    }

    void add(byte[] piece) {
        head.write(piece, 0, Math.min(piece.length, ClipLimit.HEAD_BYTES - head.size()));
        received += piece.length;
        limits.check(head.toByteArray(), received);
        if (failure == null) {
            waiting.writeBytes(piece);
        }
        write();
    }

    boolean isFull() {
        return failure == null && waiting.size() > WAITING_BYTES_MAX;
    }

    /** Nothing more comes. Completes when all is written, or nothing more will be. */
    Future<Void> end() {
        ended = true;
        write();
        return settled.future();
    }

    /** The file is not needed any more. */
    Future<Void> delete() {
        return end().transform(done -> vertx.executeBlocking(
                () -> {
                    boolean unused = Files.deleteIfExists(path);
                    return null;
                },
                /* ordered= */ false));
    }

    private void write() {
        if (writing) {
            return;
        }
        if (failure != null) {
            boolean unused = settled.tryFail(failure);
        } else if (waiting.size() > 0) {
            writing = true;
            byte[] bytes = waiting.toByteArray();
            waiting = new ByteArrayOutputStream();
            vertx.executeBlocking(() -> append(bytes), /* ordered= */ false)
                    .onComplete(done -> written(bytes.length, null), cause -> written(bytes.length, cause));
        } else if (ended) {
            boolean unused = settled.tryComplete();
        }
    }

    private void written(int bytes, Throwable cause) {
        writing = false;
        if (cause != null) {
            LOG.warn("upload cannot be written cause={}", Reason.of(cause));
            failure = Refusal.overloaded("The server cannot keep files at the moment: try again later.", RETRY_SECONDS);
        }
        onWritten.accept(bytes);
        write();
    }

    private Void append(byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                int unused = channel.write(buffer);
            }
        }
        return null;
    }
}
