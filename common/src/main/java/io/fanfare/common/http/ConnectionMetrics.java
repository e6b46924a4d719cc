package io.fanfare.common.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What became of connections, for the operator; {@code docs/operating.md} lists the metrics. Safe for every thread. */
public final class ConnectionMetrics {
    /** Closed because the process held too many unsent bytes. */
    final Counter unsentClosed;

    /** Refused because the process had as many connections as may be. */
    final Counter processRefused;

    /** Refused because their address had as many as may be. */
    final Counter addressRefused;

    /** Requests whose X-Forwarded-For was ignored because their peer is no trusted proxy. */
    final Counter forwardedIgnored;

    /** @param registry of the process; each event loop may have metrics of its own on it, they count together */
    public ConnectionMetrics(MeterRegistry registry) {
        unsentClosed = Counter.builder("fanfare.http.connections.closed")
                .description("Connections closed because they held the most while http.unsent-max-bytes was exceeded")
                .tag("reason", "unsent")
                .register(registry);
        processRefused = refused(registry, "process");
        addressRefused = refused(registry, "address");
        forwardedIgnored = Counter.builder("fanfare.http.forwarded.ignored")
                .description(
                        "Requests whose X-Forwarded-For was ignored: http.trusted-proxies does not name their peer")
                .register(registry);
    }

    private static Counter refused(MeterRegistry registry, String limit) {
        return Counter.builder("fanfare.http.connections.refused")
                .description("Connections refused, by the limit that was reached")
                .tag("limit", limit)
                .register(registry);
    }
}
