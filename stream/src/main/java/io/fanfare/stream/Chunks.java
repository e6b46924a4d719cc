package io.fanfare.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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

    /** Stands between a connection and its socket: writes around what the connection does for responses, and tells when the socket takes more again. */
    static final class Tap extends ChannelInboundHandlerAdapter {
        private Runnable drained = () -> {};
        private ChannelHandlerContext socket;

        /** The tap of a connection, which may carry one stream after the other; {@code drained} is told from now on. */
        static Tap on(ChannelHandlerContext connection, Runnable drained) {
            Tap tap = connection.pipeline().get(Tap.class);
            if (tap == null) {
                tap = new Tap();
                connection.pipeline().addFirst(tap);
            }
            tap.drained = drained;
            return tap;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            socket = added;
        }

        /** Goes out with the next flush. When it cannot, the connection is told, which closes: a promise for each write costs more than the write. */
        void write(ByteBuf bytes) {
            var unused = socket.write(bytes, socket.voidPromise());
        }

        void writeAndFlush(ByteBuf bytes) {
            var unused = socket.writeAndFlush(bytes, socket.voidPromise());
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
