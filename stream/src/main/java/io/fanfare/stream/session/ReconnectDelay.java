package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;
import java.util.random.RandomGenerator;

/**
 * When the client of a stream that the server ends should come back: spread, so that clients do not come together, and
 * longer when many have to. Confined to one event loop.
 */
final class ReconnectDelay {
    /** Clients that a drain sends away come back elsewhere: about a thousand a second. */
    private static final long DRAIN_MILLIS_MIN = 1_000;

    private static final long DRAIN_MILLIS_MAX = 20_000;

    private final RandomGenerator random;
    private long drainMillis = DRAIN_MILLIS_MIN;

    ReconnectDelay(RandomGenerator random) {
        this.random = random;
    }

    /** So many clients are about to be sent away. */
    void drain(int clients) {
        drainMillis = Math.max(DRAIN_MILLIS_MIN, Math.min(clients, DRAIN_MILLIS_MAX));
    }

    long millis(Disconnect why) {
        if (why == Disconnect.SHUTDOWN) {
            return random.nextLong(500, 500 + drainMillis);
        }
        return why.crowded() ? random.nextLong(1_000, 20_000) : random.nextLong(500, 10_000);
    }
}
