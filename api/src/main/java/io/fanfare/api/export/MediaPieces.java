package io.fanfare.api.export;

import io.fanfare.media.StoredFile;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/** The bytes of a stored file. */
final class MediaPieces {
    private static final int BYTES = 256 << 10;

    private MediaPieces() {}

    /** Ends early when the file is deleted meanwhile. */
    static ChunkSource of(Vertx vertx, StoredFile file) {
        return ChunkSource.walk(0L, from -> {
            int length = (int) Math.min(BYTES, file.bytes() - from);
            long to = from + length;
            return file.read(vertx, from, length)
                    .map(read -> new ChunkSource.Step<>(
                            read.orElseGet(Buffer::buffer),
                            read.isEmpty() || to >= file.bytes() ? null : Long.valueOf(to)));
        });
    }
}
