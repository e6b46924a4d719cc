package io.fanfare.stream;

import io.netty.channel.ChannelFuture;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.HttpServerConnection;

/** Where a stream's bytes go. Confined to one event loop. */
interface Outlet {
    /** Whether it holds as much as it may; {@code drained} of {@link #open} is called when it takes more. */
    boolean isFull();

    /**
     * To be called once, before anything is written.
     *
     * @param drained when it takes bytes again
     * @param gone when nobody reads any more
     */
    void open(int bytesMax, Runnable drained, Runnable gone);

    /** Hands over bytes: whole events, one or more. Fails when the client is gone. */
    Future<Void> write(Buffer events);

    /** Bytes that the socket has taken of those handed over. */
    long taken();

    /** Bytes that wait for the socket to take them. */
    long waiting();

    /** Ends it. Completes when all has been sent. */
    Future<Void> end();

    /** Ends it at once; what waits is lost. */
    void abort();

    /** The body of an HTTP response whose head is set. */
    static Outlet of(HttpServerRequest request) {
        return new OfResponse(request);
    }

    /**
     * Closes a connection without waiting for its reader: an ordinary close waits until all that was written has been sent, which it never is when nobody reads. Vert.x has no public
     * way to that.
     */
    static void cut(HttpServerRequest request) {
        // Nothing can be done when it fails, and handlers of the request learn when it has ended.
        ChannelFuture unused = ((HttpServerConnection) request.connection())
                .channelHandlerContext()
                .close();
    }

    /** See {@link #of}. */
    final class OfResponse implements Outlet {
        /** Bytes written in one piece: each piece that is taken shows that somebody reads, also to {@code http.idle-timeout}. */
        private static final int PIECE_BYTES = 8 << 10;

        private final HttpServerRequest request;
        private final HttpServerResponse response;
        private long taken;
        private long waiting;

        OfResponse(HttpServerRequest request) {
            this.request = request;
            this.response = request.response();
        }

        @Override
        public boolean isFull() {
            return response.writeQueueFull();
        }

        @Override
        public void open(int bytesMax, Runnable drained, Runnable gone) {
            response.setWriteQueueMaxSize(bytesMax);
            response.drainHandler(writable -> drained.run());
            response.exceptionHandler(broken -> gone.run());
            response.closeHandler(closed -> gone.run());
        }

        @Override
        public Future<Void> write(Buffer events) {
            int length = events.length();
            if (length <= PIECE_BYTES) {
                return piece(events);
            }
            Future<Void> last = Future.succeededFuture();
            for (int from = 0; from < length; from += PIECE_BYTES) {
                last = piece(events.slice(from, Math.min(length, from + PIECE_BYTES)));
            }
            return last;
        }

        private Future<Void> piece(Buffer bytes) {
            int length = bytes.length();
            waiting += length;
            return response.write(bytes).onSuccess(sent -> {
                waiting -= length;
                taken += length;
            });
        }

        @Override
        public long taken() {
            return taken;
        }

        @Override
        public long waiting() {
            return waiting;
        }

        @Override
        public Future<Void> end() {
            return response.end();
        }

        @Override
        public void abort() {
            cut(request);
        }
    }
}
