package io.fanfare.api.export;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** See {@link ChunkSource#begun}. */
final class PrefetchedChunks implements ChunkSource {
    private final ChunkSource rest;
    private final Buffer first;
    private boolean taken;

    PrefetchedChunks(Buffer first, ChunkSource rest) {
        this.first = first;
        this.rest = rest;
    }

    @Override
    public Future<Buffer> next() {
        if (taken) {
            return rest.next();
        }
        taken = true;
        return Future.succeededFuture(first);
    }

    @Override
    public void close() {
        rest.close();
    }
}
