package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;
import io.fanfare.vertx.VertxInternals;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;

/**
 * The body of an HTTP response whose head is set. The first bytes go the way of every response, behind its head. When
 * they are out, further ones go to the socket as the chunks that all streams share, around all that Vert.x does for
 * each response of its own; that halves what a write costs. The request itself is not kept: it holds several times the
 * memory that a stream needs.
 */
public class ResponseSink implements StreamSink {
    private final HttpConnection connection;
    private final HttpServerResponse response;
    private final ChannelHandlerContext context;
    private final ChunkEncoder chunks;
    private Runnable gone = () -> {};
    private DirectSocketWriter writer;

    /** Whether its body is made of chunks, as they are: one to a client of HTTP/1.0 has none. */
    private final boolean chunked;

    /** Whether bytes go around the response. */
    private boolean direct;

    private long handedOver;
    private long waitingInResponse;
    private long taken;

    public ResponseSink(HttpServerRequest request, ChunkEncoder chunks) {
        this.connection = request.connection();
        this.response = request.response();
        this.context = VertxInternals.handler(connection);
        this.chunked = request.version() == HttpVersion.HTTP_1_1 && !connection.isSsl();
        this.chunks = chunks;
    }

    @Override
    public boolean isFull() {
        return writer.isFull() || (!direct && response.writeQueueFull());
    }

    @Override
    public void open(int bytesMax, Runnable drained, Runnable whenGone) {
        gone = whenGone;
        StreamSink.limitUnsent(connection, bytesMax);
        writer = DirectSocketWriter.on(context, drained);
        // Who does not read is the stream's business from now on; the watch would see each write.
        if (context.pipeline().get(IdleStateHandler.class) != null) {
            var unused = context.pipeline().remove(IdleStateHandler.class);
        }
        response.setWriteQueueMaxSize(bytesMax);
        response.exceptionHandler(broken -> gone.run());
        response.closeHandler(closed -> gone.run());
    }

    @Override
    public void write(Buffer events) {
        handedOver += events.length();
        if (direct) {
            writer.send(chunks.of(events, context));
        } else {
            writeResponse(events);
        }
    }

    private void writeResponse(Buffer events) {
        int length = events.length();
        waitingInResponse += length;
        response.write(events)
                .onComplete(
                        sent -> {
                            waitingInResponse -= length;
                            // Nothing may overtake what has been given to the response.
                            direct = waitingInResponse == 0 && chunked;
                            // They are out: streams stay open for long.
                            response.headers().clear();
                        },
                        broken -> gone.run());
    }

    @Override
    public long taken() {
        // What waits is counted with a little for each piece.
        taken = Math.max(taken, handedOver - waiting());
        return taken;
    }

    @Override
    public long waiting() {
        return waitingInResponse + (direct ? writer.waiting() : 0);
    }

    /** Nothing watches over the connection any more, so it ends as well. */
    @Override
    public Future<Void> end(Disconnect why) {
        return response.end().eventually(connection::close);
    }

    @Override
    public void abort() {
        StreamSink.cut(connection);
    }

    /**
     * The end of a connection beside its socket, for bytes that many connections share: around what the connection does
     * for responses. The socket is given them at once; what it does not take waits in the channel's queue as every
     * other write does, and until that is empty everything goes there, so that nothing overtakes anything. Errors are
     * the channel's business, which closes then. For connections that are not encrypted. Confined to one event loop.
     */
    static final class DirectSocketWriter extends ChannelInboundHandlerAdapter {
        /** Bytes queued in one piece: each piece that is taken shows that somebody reads. */
        private static final int PIECE_BYTES = 8 << 10;

        private Runnable drained = () -> {};
        private ChannelHandlerContext context;
        private Channel channel;

        /** Null = only the channel can write to it, as it is on systems that have no epoll. */
        private Socket socket;

        /**
         * Whether something may wait in the channel's queue. False = nothing does, so that the queue is not looked at:
         * with thousands of streams none of the objects on the way to it is in the processor's cache, and looking costs
         * as much as all that is done here.
         */
        private boolean mayWait = true;

        /**
         * The writer of a connection, which may carry one stream after the other; {@code drained} runs from now on when
         * it is no longer full.
         */
        static DirectSocketWriter on(ChannelHandlerContext connection, Runnable drained) {
            DirectSocketWriter writer = connection.pipeline().get(DirectSocketWriter.class);
            if (writer == null) {
                writer = new DirectSocketWriter();
                connection.pipeline().addFirst(writer);
            }
            writer.drained = drained;
            writer.mayWait = true;
            return writer;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            context = added;
            channel = added.channel();
            socket = channel instanceof UnixChannel unix && unix.fd() instanceof Socket fd ? fd : null;
        }

        /** Whether so much waits that nothing more should be sent. */
        boolean isFull() {
            return mayWait && !channel.isWritable();
        }

        /** Bytes that the socket has not taken yet, with a little for each piece. */
        long waiting() {
            if (!mayWait) {
                return 0;
            }
            ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
            long waiting = queue == null ? 0 : queue.totalPendingWriteBytes();
            // One that is closed has none, and stays full.
            mayWait = queue == null || waiting > 0;
            return waiting;
        }

        /** Sends bytes that will not change any more; the caller need not keep them, and still has to release them. */
        void send(ByteBuf bytes) {
            int rest = bytes.readerIndex() + sendAtOnce(bytes);
            if (rest < bytes.writerIndex()) {
                queue(bytes, rest);
            }
        }

        /** Answers how many bytes the socket has taken. */
        private int sendAtOnce(ByteBuf bytes) {
            // A channel that is closed has given its descriptor back: by now it may be somebody else's.
            if (socket == null || !socket.isOpen() || waiting() > 0 || !bytes.hasMemoryAddress()) {
                return 0;
            }
            try {
                return socket.sendAddress(bytes.memoryAddress(), bytes.readerIndex(), bytes.writerIndex());
            } catch (IOException broken) {
                // The channel meets it as well, with the same bytes, and does what there is to do.
                return 0;
            }
        }

        /** All pieces in one go to the socket. A promise for each would cost more than the write. */
        private void queue(ByteBuf bytes, int from) {
            mayWait = true;
            for (int at = from; at < bytes.writerIndex(); at += PIECE_BYTES) {
                ByteBuf piece = bytes.retainedSlice(at, Math.min(PIECE_BYTES, bytes.writerIndex() - at));
                var unused = context.write(piece, context.voidPromise());
            }
            context.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (channel.isWritable()) {
                drained.run();
            }
            ctx.fireChannelWritabilityChanged();
        }
    }
}
