package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.GzipBlock;
import io.fanfare.vertx.VertxInternals;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.epoll.EpollChannelOption;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;

/** Receives the bytes of a stream. Confined to one event loop. */
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

    /** Whether what is sent is compressed, so that it takes blocks as well. */
    default boolean isCompressed() {
        return false;
    }

    /** As {@link #write(Buffer)}, for a sink that {@link #isCompressed}: the events as a block. */
    default void write(GzipBlock events) {
        throw new UnsupportedOperationException("this sink does not compress");
    }

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

    /**
     * Lets the kernel hold about so many bytes that it has not sent: else it takes megabytes for a reader who does not
     * read, and each is copied and kept. What is on its way to a distant reader does not count. Only epoll can do this;
     * elsewhere nothing changes.
     */
    static void limitUnsent(HttpConnection connection, int bytesMax) {
        var unused = VertxInternals.handler(connection)
                .channel()
                .config()
                .setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) bytesMax);
    }

    /** Lets a handler see the frames of a WebSocket before Vert.x does, which has no public way to that. */
    static void beforeFrames(HttpConnection connection, ChannelHandler handler) {
        ChannelPipeline pipeline = VertxInternals.handler(connection).channel().pipeline();
        // The last one is Vert.x's own, which takes all that comes.
        pipeline.addBefore(pipeline.lastContext().name(), null, handler);
    }

    /**
     * Closes a connection without waiting for its reader: an ordinary close waits until all that was written has been
     * sent, which it never is when nobody reads. Vert.x has no public way to that.
     */
    static void cut(HttpConnection connection) {
        Channel channel = VertxInternals.handler(connection).channel();
        // Not by way of the handlers: those of a WebSocket hold the close back. Handlers of the request learn when it
        // has ended.
        channel.unsafe().close(channel.newPromise());
    }
}
