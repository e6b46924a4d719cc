package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** Where a stream's bytes go. Confined to one event loop. */
public interface StreamSink {
    /** Whether it holds as much as it may; {@code drained} of {@link #open} is called when it takes more. */
    boolean isFull();

    /**
     * To be called once, before anything is written.
     *
     * @param drained when it takes bytes again; perhaps within a write
     * @param gone when nobody reads any more
     */
    void open(int bytesMax, Runnable drained, Runnable gone);

    /**
     * Hands over bytes that will not change any more: whole events, one or more. {@code gone} of {@link #open} is
     * called when the client is.
     */
    void write(Buffer events);

    /** Bytes that the socket has taken of those handed over. */
    long taken();

    /** Bytes that wait for the socket to take them. */
    long waiting();

    /**
     * Ends it, for this reason, which has been written where the dialect has words for it. Completes when all has been
     * sent.
     */
    Future<Void> end(Disconnect why);

    /** Ends it at once; what waits is lost. */
    void abort();

    /** The body of an HTTP response whose head is set. */
    static StreamSink of(HttpServerRequest request, ChunkEncoder chunks) {
        return new OfResponse(request, chunks);
    }

    /**
     * Lets the kernel hold about so many bytes that it has not sent: else it takes megabytes for a reader who does not
     * read, and each is copied and kept. What is on its way to a distant reader does not count. Only epoll can do this;
     * elsewhere nothing changes.
     */
    static void limitUnsent(HttpConnection connection, int bytesMax) {
        var unused = ((HttpServerConnection) connection)
                .channelHandlerContext()
                .channel()
                .config()
                .setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) bytesMax);
    }

    /** Lets a handler see the frames of a WebSocket before Vert.x does, which has no public way to that. */
    static void beforeFrames(HttpConnection connection, ChannelHandler handler) {
        ChannelPipeline pipeline = ((HttpServerConnection) connection)
                .channelHandlerContext()
                .channel()
                .pipeline();
        // The last one is Vert.x's own, which takes all that comes.
        pipeline.addBefore(pipeline.lastContext().name(), null, handler);
    }

    /**
     * Closes a connection without waiting for its reader: an ordinary close waits until all that was written has been
     * sent, which it never is when nobody reads. Vert.x has no public way to that.
     */
    static void cut(HttpConnection connection) {
        Channel channel =
                ((HttpServerConnection) connection).channelHandlerContext().channel();
        // Not by way of the handlers: those of a WebSocket hold the close back. Handlers of the request learn when it
        // has ended.
        channel.unsafe().close(channel.newPromise());
    }

    /**
     * See {@link #of}. The first bytes go the way of every response, behind its head. When they are out, further ones
     * go to the socket as the chunks that all streams share, around all that Vert.x does for each response of its own;
     * that halves what a write costs. The request itself is not kept: it holds several times the memory that a stream
     * needs.
     */
    final class OfResponse implements StreamSink {
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

        OfResponse(HttpServerRequest request, ChunkEncoder chunks) {
            this.connection = request.connection();
            this.response = request.response();
            this.context = ((HttpServerConnection) connection).channelHandlerContext();
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
            limitUnsent(connection, bytesMax);
            writer = DirectSocketWriter.on(context, drained);
            // Who does not read is the stream's business from now on; the watch would be told of each write.
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
            cut(connection);
        }
    }
}
