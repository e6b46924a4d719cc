package io.fanfare.server.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bytes that the connections of an event loop hold for slow clients: responses, and requests that wait behind them.
 * When all together hold more than they may, those that hold most are closed; among equals the one that has waited
 * longest. A connection whose socket takes everything costs nothing here. Confined to one event loop.
 */
final class WriteBufferLimiter {
    /** Down to this part of what may be, so that not every further byte means another look at all connections. */
    private static final double AFTERWARDS = 0.875;

    private final long max;
    private final Runnable closed;
    private final Set<PacedRequestDecoder> waiting = new LinkedHashSet<>();
    private long total;

    /**
     * @param max bytes of all connections together
     * @param closed called for each connection that is closed
     */
    WriteBufferLimiter(long max, Runnable closed) {
        this.max = max;
        this.closed = closed;
    }

    /** Sockets take bytes without telling, so what is known of a connection may be too much until it writes again. */
    void changed(PacedRequestDecoder connection, long bytes) {
        note(connection, bytes);
        if (total > max) {
            relieve();
        }
    }

    /** Bytes, as far as is known. */
    long total() {
        return total;
    }

    private void note(PacedRequestDecoder connection, long bytes) {
        total += bytes - connection.counted();
        connection.counted(bytes);
        if (bytes == 0) {
            waiting.remove(connection);
        } else {
            waiting.add(connection);
        }
    }

    private void relieve() {
        List<PacedRequestDecoder> all = new ArrayList<>(waiting);
        all.forEach(connection -> note(connection, connection.bytes()));
        all.sort(Comparator.comparingLong((PacedRequestDecoder connection) -> -connection.counted()));
        for (PacedRequestDecoder largest : all) {
            if (total <= max * AFTERWARDS) {
                return;
            }
            note(largest, 0);
            largest.cut();
            closed.run();
        }
    }
}
