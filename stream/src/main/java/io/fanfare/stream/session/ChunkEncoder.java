package io.fanfare.stream.session;

import io.fanfare.vertx.VertxInternals;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * Events as chunks of HTTP/1.1, in memory that sockets read from without a copy: made once for all streams that are
 * given the same buffer one after the other, as those are that stand at the same place. Confined to one event loop.
 */
final class ChunkEncoder {
    private static final int FRAME_BYTES = 16;

    private Buffer last;
    private ByteBuf lastChunk;

    /**
     * The bytes as one chunk, which is kept until another is requested, and not to be changed. The buffer must not
     * change any more either.
     */
    ByteBuf of(Buffer events, ChannelHandlerContext connection) {
        if (events != last) {
            close();
            ByteBuf chunk = connection.alloc().directBuffer(events.length() + FRAME_BYTES);
            chunk.writeCharSequence(Integer.toHexString(events.length()) + "\r\n", StandardCharsets.US_ASCII);
            chunk.writeBytes(VertxInternals.bytes(events));
            chunk.writeCharSequence("\r\n", StandardCharsets.US_ASCII);
            last = events;
            lastChunk = chunk;
        }
        return lastChunk;
    }

    /** Lets go of what is kept for the next stream. */
    void close() {
        if (lastChunk != null) {
            lastChunk.release();
            lastChunk = null;
            last = null;
        }
    }
}
