package io.fanfare.stream.relay;

import io.fanfare.stream.wire.BlockDeflater;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.GzipBlock;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Collects the events of a slice. */
final class SliceBuilder {
    private final Dialect dialect;
    private final List<Buffer> frames = new ArrayList<>();
    private final List<RingEntry> entries = new ArrayList<>();
    private int length;
    private long upTo;

    SliceBuilder(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Whether another frame makes it longer than that; the first one never does. */
    boolean isFullFor(Buffer frame, int bytesMax) {
        return length > 0 && length + frame.length() > bytesMax;
    }

    void add(RingEntry entry, Buffer frame) {
        entries.add(entry);
        frames.add(frame);
        length += frame.length();
    }

    /** Sets the seq up to which everything has been looked at. */
    void upTo(long seq) {
        upTo = seq;
    }

    /** The slice as it is. */
    EventRing.Slice plain() {
        return new EventRing.Slice(EventRing.joined(frames, length), null, upTo, frames.size());
    }

    /**
     * The slice as a block.
     *
     * @param together whether all of it is compressed at once, for it and others at the same place; false = it consists
     *     of the blocks of its events, which are kept
     */
    EventRing.Slice compressed(BlockDeflater deflater, boolean together) {
        return frames.isEmpty()
                ? plain()
                : new EventRing.Slice(null, block(deflater, together && frames.size() > 1), upTo, frames.size());
    }

    private GzipBlock block(BlockDeflater deflater, boolean together) {
        if (together) {
            return deflater.deflate(EventRing.joined(frames, length));
        }
        List<GzipBlock> blocks = new ArrayList<>(frames.size());
        for (int i = 0; i < frames.size(); i++) {
            blocks.add(entries.get(i).block(frames.get(i), dialect, deflater));
        }
        return GzipBlock.joined(blocks);
    }
}
