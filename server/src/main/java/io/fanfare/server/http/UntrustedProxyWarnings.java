package io.fanfare.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns the operator of proxies that {@code http.trusted-proxies} does not name: behind one all visitors look like one,
 * share its limits, and nothing else shows it. Anybody can send the header, so that no more than {@link #LOGGED_MAX}
 * peers are logged, each once; the metric counts all such requests. Confined to one event loop.
 */
final class UntrustedProxyWarnings {
    private static final Logger log = LoggerFactory.getLogger(UntrustedProxyWarnings.class);

    private static final int LOGGED_MAX = 8;

    private final ClientAddress addresses;
    private final ConnectionMetrics metrics;
    private final Set<String> logged = new HashSet<>();

    UntrustedProxyWarnings(ClientAddress addresses, ConnectionMetrics metrics) {
        this.addresses = addresses;
        this.metrics = metrics;
    }

    /** @param request one with X-Forwarded-For */
    void look(HttpServerRequest request) {
        if (addresses.trusts(request.remoteAddress())) {
            return;
        }
        metrics.forwardedIgnored.increment();
        String peer = request.remoteAddress() == null
                ? "unknown"
                : request.remoteAddress().hostAddress();
        if (logged.size() < LOGGED_MAX && logged.add(peer)) {
            log.warn(
                    "X-Forwarded-For is ignored, so all who come through this peer share its limits: name it in http.trusted-proxies if it is a proxy of yours peer={}",
                    peer);
        }
    }
}
