package io.fanfare.app.console;

import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How far an operation of many steps goes: until {@link #TIME_MAX} after its request, and while its client is there.
 * For any thread.
 */
final class WorkLimit {
    /** Below the 30 s for which the pages wait for an answer. */
    static final Duration TIME_MAX = Duration.ofSeconds(20);

    private final LongSupplier nanos;
    private final long beganNanos;
    // Written by the event loop of the connection.
    private volatile boolean gone;

    /** @param nanos elapsed time, for any thread */
    WorkLimit(LongSupplier nanos) {
        this.nanos = nanos;
        this.beganNanos = nanos.getAsLong();
    }

    /** That of a request which has not been answered. */
    static WorkLimit of(HttpServerRequest request, LongSupplier nanos) {
        WorkLimit limit = new WorkLimit(nanos);
        request.response().closeHandler(closed -> limit.gone = true);
        return limit;
    }

    boolean isReached() {
        return gone || nanos.getAsLong() - beganNanos >= TIME_MAX.toNanos();
    }
}
