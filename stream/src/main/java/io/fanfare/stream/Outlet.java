package io.fanfare.stream;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

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

    /** Ends it. Completes when all has been sent. */
    Future<Void> end();

    /** The body of an HTTP response whose head is set. */
    static Outlet of(HttpServerResponse response) {
        return new Outlet() {
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
                return response.write(events);
            }

            @Override
            public Future<Void> end() {
                return response.end();
            }
        };
    }
}
