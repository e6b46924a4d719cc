package io.fanfare.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;

/**
 * Events as chunks of HTTP/1.1, in memory that sockets read from without a copy: made once for all streams that are given the same buffer one after the other, as those are that stand at the
 * same place. Confined to one event loop.
 */
final class Chunks {
    private static final int FRAME_BYTES = 16;

    private Buffer last;
    private ByteBuf lastChunk;

    /** The bytes as one chunk, to be released by the caller. The buffer must not change any more. */
    ByteBuf of(Buffer events, ByteBufAllocator memory) {
        if (events != last) {
            close();
            ByteBuf chunk = memory.directBuffer(events.length() + FRAME_BYTES);
            chunk.writeCharSequence(Integer.toHexString(events.length()) + "\r\n", StandardCharsets.US_ASCII);
            chunk.writeBytes(((BufferInternal) events).getByteBuf());
            chunk.writeCharSequence("\r\n", StandardCharsets.US_ASCII);
            last = events;
            lastChunk = chunk;
        }
        return lastChunk.retainedDuplicate();
    }

    /** Lets go of what is kept for the next stream. */
    void close() {
        if (lastChunk != null) {
            lastChunk.release();
            lastChunk = null;
            last = null;
        }
    }

    /** A chunk, or a piece of one, on its way through a connection: the encoder of responses knows no such message and lets it pass as it is. */
    static final class Piece extends DefaultByteBufHolder {
        Piece(ByteBuf bytes) {
            super(bytes);
        }
    }

    /** Stands behind the encoder of a connection: lets the bytes of {@link Piece}s out, and tells when the socket takes more again. */
    static final class Tap extends ChannelDuplexHandler {
        private Runnable drained = () -> {};

        /** What is told from now on; a connection may carry one stream after the other. */
        static void on(ChannelHandlerContext connection, Runnable drained) {
            Tap tap = connection.pipeline().get(Tap.class);
            if (tap == null) {
                tap = new Tap();
                connection.pipeline().addFirst(tap);
            }
            tap.drained = drained;
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            // The promise tells the outcome.
            var unused = ctx.write(message instanceof Piece piece ? piece.content() : message, promise);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (ctx.channel().isWritable()) {
                drained.run();
            }
            ctx.fireChannelWritabilityChanged();
        }
    }
}
