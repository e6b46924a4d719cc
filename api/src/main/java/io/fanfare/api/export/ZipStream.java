package io.fanfare.api.export;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A ZIP file of files that are made while it is read. Worker threads compress, one piece at a time, so that a piece and
 * what becomes of it are all that is in memory. One event loop.
 */
final class ZipStream implements ChunkSource {
    /**
     * A file of the archive.
     *
     * @param packed whether compressing makes it smaller
     */
    record Entry(String name, boolean packed, ChunkSource pieces) {
        /** None has been found yet: ask again. */
        static final Entry LATER = new Entry("", false, null);
    }

    private final Vertx vertx;
    private final LocalDateTime time;
    private final Supplier<Future<Entry>> entries;

    // Used by one thread at a time; the futures in between hand them over.
    private final ByteArrayOutputStream made = new ByteArrayOutputStream();
    private final Zip zip = new Zip(made);

    private Entry open;
    private boolean finished;
    private boolean packing;
    private boolean closed;

    /** Its own deflater has memory outside of the heap, which only a collection of garbage would free. */
    private static final class Zip extends ZipOutputStream {
        private Zip(ByteArrayOutputStream made) {
            super(made, StandardCharsets.UTF_8);
        }

        private void end() {
            def.end();
        }
    }

    /**
     * @param time that its files have
     * @param entries the next file each time; null = there are no more. The one before has been read by then
     */
    ZipStream(Vertx vertx, LocalDateTime time, Supplier<Future<Entry>> entries) {
        this.vertx = vertx;
        this.time = time;
        this.entries = entries;
    }

    @Override
    public Future<Buffer> next() {
        if (finished) {
            return Future.succeededFuture();
        }
        if (open == null) {
            return entries.get().compose(this::begin);
        }
        return open.pieces().next().compose(piece -> piece == null ? end() : write(piece));
    }

    private Future<Buffer> begin(Entry entry) {
        if (entry != null && entry.pieces() == null) {
            return Future.succeededFuture(Buffer.buffer());
        }
        open = entry;
        if (entry == null) {
            finished = true;
            return packed(() -> {
                zip.finish();
                return null;
            });
        }
        return packed(() -> {
            ZipEntry head = new ZipEntry(entry.name());
            head.setTimeLocal(time);
            zip.setLevel(entry.packed() ? Deflater.DEFAULT_COMPRESSION : Deflater.NO_COMPRESSION);
            zip.putNextEntry(head);
            return null;
        });
    }

    private Future<Buffer> write(Buffer piece) {
        return piece.length() == 0
                ? Future.succeededFuture(piece)
                : packed(() -> {
                    zip.write(piece.getBytes());
                    return null;
                });
    }

    private Future<Buffer> end() {
        open.pieces().close();
        open = null;
        return packed(() -> {
            zip.closeEntry();
            return null;
        });
    }

    /** The bytes of the file that the step has made. */
    private Future<Buffer> packed(Callable<Void> step) {
        if (closed) {
            return Future.failedFuture("the archive was closed");
        }
        packing = true;
        return vertx.executeBlocking(
                        () -> {
                            Void unused = step.call();
                            Buffer piece = Buffer.buffer(made.toByteArray());
                            made.reset();
                            return piece;
                        },
                        /* ordered= */ false)
                .onComplete(packed -> {
                    packing = false;
                    if (finished) {
                        zip.end();
                    }
                });
    }

    @Override
    public void close() {
        if (open != null) {
            open.pieces().close();
        }
        finished = true;
        closed = true;
        // A step that runs is not disturbed: it ends the deflater afterwards.
        if (!packing) {
            zip.end();
        }
    }
}
