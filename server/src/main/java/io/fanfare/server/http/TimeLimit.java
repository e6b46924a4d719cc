package io.fanfare.server.http;

import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Fails requests with 503 that are not done within a time, the arrival of their body included. All have the same time,
 * so that the eldest is the next to run out of it: one timer watches them all. Confined to one event loop.
 */
public final class TimeLimit {
    private final long limitNanos;
    private final LongSupplier nanos;

    /** When each request came, the eldest first. */
    private final Map<RoutingContext, Long> open = new LinkedHashMap<>();

    private boolean watching;

    public TimeLimit(Duration limit, LongSupplier nanos) {
        this.limitNanos = limit.toNanos();
        this.nanos = nanos;
    }

    /** Counts from now until {@link #end}. */
    public void begin(RoutingContext ctx) {
        open.put(ctx, nanos.getAsLong());
        if (!watching) {
            watch(ctx.vertx(), limitNanos);
        }
    }

    /** The answer or the connection has ended. */
    public void end(RoutingContext ctx) {
        open.remove(ctx);
    }

    private void watch(Vertx vertx, long delayNanos) {
        watching = true;
        long millis = TimeUnit.NANOSECONDS.toMillis(delayNanos) + 1; // Rounded up: too early would be in vain.
        long unused = vertx.setTimer(millis, timer -> look(vertx));
    }

    private void look(Vertx vertx) {
        watching = false;
        long now = nanos.getAsLong();
        Map.Entry<RoutingContext, Long> eldest = eldest();
        while (eldest != null && now - eldest.getValue() >= limitNanos) {
            open.remove(eldest.getKey());
            eldest.getKey().fail(503);
            eldest = eldest();
        }
        if (eldest != null && !watching) {
            watch(vertx, limitNanos - (now - eldest.getValue()));
        }
    }

    private Map.Entry<RoutingContext, Long> eldest() {
        Iterator<Map.Entry<RoutingContext, Long>> entries = open.entrySet().iterator();
        return entries.hasNext() ? entries.next() : null;
    }
}
