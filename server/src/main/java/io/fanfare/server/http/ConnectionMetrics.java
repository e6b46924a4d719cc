package io.fanfare.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The fates of connections, for the operator; {@code docs/operating.md} lists the metrics. Safe for every thread. */
public final class ConnectionMetrics {
    /** Closed because the process held too many unsent bytes. */
    final Counter unsentClosed;

    /** Closed in favour of another, since no request was under way on them. */
    final Counter waitingClosed;

    /** Refused because the process had as many connections as may be. */
    final Counter processRefused;

    /** Refused because their address had as many as may be. */
    final Counter addressRefused;

    /** Requests whose X-Forwarded-For was ignored because their peer is no trusted proxy. */
    final Counter forwardedIgnored;

    /** @param registry of the process; each event loop may have metrics of its own on it, they count together */
    public ConnectionMetrics(MeterRegistry registry) {
        unsentClosed = closed(registry, "unsent");
        waitingClosed = closed(registry, "waiting");
        processRefused = refused(registry, "process");
        addressRefused = refused(registry, "address");
        forwardedIgnored = Counter.builder("fanfare.http.forwarded.ignored")
                .description(
                        "Requests whose X-Forwarded-For was ignored: http.trusted-proxies does not name their peer")
                .register(registry);
    }

    private static Counter closed(MeterRegistry registry, String reason) {
        return Counter.builder("fanfare.http.connections.closed")
                .description("Connections closed in favour of others, by the reason")
                .tag("reason", reason)
                .register(registry);
    }

    private static Counter refused(MeterRegistry registry, String limit) {
        return Counter.builder("fanfare.http.connections.refused")
                .description("Connections refused, by the limit that was reached")
                .tag("limit", limit)
                .register(registry);
    }
}
