package io.fanfare.stream.relay;

import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.wire.BlockDeflater;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.GzipBlock;
import io.vertx.core.buffer.Buffer;
import java.util.EnumMap;
import java.util.Map;

/** An event of a ring, with what was made of it for streams. Confined to one event loop. */
final class RingEntry {
    /**
     * Approximate bytes of an entry beside its text; and the number of copies of its body: the original, and encoded
     * for one or two dialects, or compressed.
     */
    private static final int ENTRY_BYTES = 400;

    private static final int FRAMES = 2;

    final StreamEvent event;
    final int bytes;

    /** Whether words of a deleted status have been left out. */
    final boolean less;

    final Map<Dialect, Buffer> frames = new EnumMap<>(Dialect.class);

    /** The frames, each compressed by itself, for connections that share no slice. */
    private Map<Dialect, GzipBlock> blocks; // null = none so far

    RingEntry(LoggedEvent logged, Documents documents) {
        event = new StreamEvent(logged, documents);
        less = !logged.event().redactedIds().isEmpty();
        bytes = ENTRY_BYTES
                + FRAMES * logged.event().body().length()
                + logged.event().match().length();
    }

    /** A frame of this entry as a block. One that was made for a single connection is not compressed. */
    GzipBlock block(Buffer frame, Dialect dialect, BlockDeflater deflater) {
        if (frames.get(dialect) != frame) {
            return GzipBlock.stored(frame);
        }
        blocks = blocks == null ? new EnumMap<>(Dialect.class) : blocks;
        return blocks.computeIfAbsent(dialect, missing -> deflater.deflate(frame));
    }
}
