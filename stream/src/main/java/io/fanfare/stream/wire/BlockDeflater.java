package io.fanfare.stream.wire;

import io.fanfare.vertx.VertxInternals;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Compresses the events that streams share. Each block begins with an empty window, so that any client can read it,
 * whatever it was sent before. Confined to one event loop. It is not final so that a test can count the blocks.
 */
public class BlockDeflater {
    /** The growth of a text that cannot be compressed, and the end of a block. */
    private static final int OVERHEAD_BYTES = 64;

    private Deflater deflater; // null = nothing was compressed so far: it takes 256 KiB outside of the heap
    private byte[] out = new byte[8 << 10];

    /** One text as a block. */
    public GzipBlock deflate(Buffer text) {
        byte[] bytes = text.getBytes();
        if (deflater == null) {
            // Ten statuses of 1.6 KB take 0.144 of their bytes at the lowest level, and 0.134 at the usual one for half
            // as much time again.
            deflater = new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);
        }
        deflater.reset();
        deflater.setInput(bytes);
        int max = bytes.length + (bytes.length >> 10) + OVERHEAD_BYTES;
        if (out.length < max) {
            out = new byte[max];
        }
        // Ends at a byte, so that the client is shown all of it at once.
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        if (deflater.getBytesRead() != bytes.length || length == out.length) {
            // It would need a second call; no text does.
            throw new IllegalStateException(bytes.length + " bytes did not fit into " + out.length);
        }
        return GzipBlock.of(VertxInternals.wrap(Arrays.copyOf(out, length)), bytes);
    }

    /** Gives back what it has taken; to be called last. */
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
    }
}
