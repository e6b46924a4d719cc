package io.fanfare.server.http;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections of an event loop on which no request is under way. They make room when the event loop has as many
 * connections as it may have: first those that have not sent the whole head of a request yet, then those whose last
 * answer is sent, the longest waiting first. A client that speaks gets a place however many connections say nothing.
 * Confined to one event loop.
 */
final class WaitingConnections {
    /** Without the head of a first request, whole; the oldest first. */
    private final Set<PacedRequestDecoder> silent = new LinkedHashSet<>();

    /** Between two requests; the longest waiting first. */
    private final Set<PacedRequestDecoder> idle = new LinkedHashSet<>();

    /** A connection that has just been accepted. */
    void opened(PacedRequestDecoder connection) {
        silent.add(connection);
    }

    /** The head of a request has come. */
    void waits(PacedRequestDecoder connection) {
        if (!silent.remove(connection)) {
            idle.remove(connection);
        }
    }

    /** The answer to a request is written. */
    void answered(PacedRequestDecoder connection) {
        idle.add(connection);
    }

    /** The connection has ended, or speaks another protocol. */
    void left(PacedRequestDecoder connection) {
        waits(connection);
    }

    /** Closes one in favour of the newest; false when there is none but that. */
    boolean makeRoom() {
        PacedRequestDecoder longest = silent.size() > 1 ? first(silent) : first(idle);
        if (longest == null) {
            return false;
        }
        left(longest);
        longest.cut();
        return true;
    }

    private static PacedRequestDecoder first(Set<PacedRequestDecoder> connections) {
        Iterator<PacedRequestDecoder> all = connections.iterator();
        return all.hasNext() ? all.next() : null;
    }
}
