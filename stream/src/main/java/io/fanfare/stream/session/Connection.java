package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;

/** One client's connection: a stream over HTTP, or a socket with any number of them. Confined to one event loop. */
public interface Connection {
    /** Ends it at once; says why where there are words for it and the socket takes them. */
    void evict(Disconnect why);

    /** To be run once, when it has ended; at once when it has already. */
    void whenEnded(Runnable run);
}
