package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.vertx.VertxInternals;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The connections of this event loop: how many there are, how many each address has, and what they hold unsent. Beyond
 * the limit of the process a connection without a request makes room ({@link WaitingConnections}). When there is none,
 * and beyond the limit of an address, the new connection gets an error at its first request and is closed; from twice
 * as many of one address on it is closed without one. Trusted proxies, behind which there are many people, and the
 * machine itself count for the process only. Confined to one event loop.
 */
public final class ConnectionLimiter {
    /** The time after which a refused client should come back. */
    private static final long RETRY_SECONDS = 30;

    /** The limit that a connection exceeds. */
    private enum Limit {
        ADDRESS,
        PROCESS
    }

    private final int max;
    private final int perAddressMax;
    private final ClientAddress addresses;
    private final ConnectionMetrics metrics;
    private final boolean countsOwn;
    private final HttpServerOptions options;
    private final WriteBufferLimiter unsent;
    private final UntrustedProxyWarnings proxies;
    private final WaitingConnections waiting = new WaitingConnections();
    private final Map<String, Integer> open = new HashMap<>();
    private final Map<HttpConnection, Limit> surplus = new WeakHashMap<>();
    private int connections;

    public ConnectionLimiter(Settings.Http settings, ConnectionMetrics metrics) {
        this(settings, metrics, /* countsOwn= */ false);
    }

    /** @param countsOwn whether the machine itself is counted by address, as a test needs it */
    ConnectionLimiter(Settings.Http settings, ConnectionMetrics metrics, boolean countsOwn) {
        this(
                CommonHandlers.options(settings),
                Math.max(1, settings.connectionsMax() / settings.eventLoops()),
                settings.unsentMaxBytes() / settings.eventLoops(),
                metrics,
                settings.perAddressMax(),
                new ClientAddress(settings.trustedProxies()),
                countsOwn);
    }

    /** The limiter of a server that counts no addresses. */
    public ConnectionLimiter(HttpServerOptions options, int max, long unsentMaxBytes, ConnectionMetrics metrics) {
        this(options, max, unsentMaxBytes, metrics, Integer.MAX_VALUE, new ClientAddress(""), /* countsOwn= */ false);
    }

    private ConnectionLimiter(
            HttpServerOptions options,
            int max,
            long unsentMaxBytes,
            ConnectionMetrics metrics,
            int perAddressMax,
            ClientAddress addresses,
            boolean countsOwn) {
        this.options = options;
        this.max = max;
        this.unsent = new WriteBufferLimiter(unsentMaxBytes, metrics.unsentClosed::increment);
        this.metrics = metrics;
        this.perAddressMax = perAddressMax;
        this.addresses = addresses;
        this.countsOwn = countsOwn;
        this.proxies = new UntrustedProxyWarnings(addresses, metrics);
    }

    /** For {@code HttpServer.connectionHandler}. */
    public void opened(HttpConnection connection) {
        ChannelHandlerContext context = VertxInternals.handler(connection);
        PacedRequestDecoder.install(context, options, unsent, waiting);
        connections++;
        // That of the socket: one that became a WebSocket does not notify its HTTP connection when it ends.
        context.channel().closeFuture().addListener(closed -> connections--);
        boolean isOver = countAddress(connection, context);
        if (connections <= max) {
            return;
        }
        if (isOver) {
            connection.close().onFailure(gone -> {}); // Nobody makes room for it.
            return;
        }
        if (waiting.makeRoom()) {
            metrics.waitingClosed.increment();
        } else {
            surplus.put(connection, Limit.PROCESS);
            metrics.processRefused.increment();
        }
    }

    /** Whether its address has more than it may have. */
    private boolean countAddress(HttpConnection connection, ChannelHandlerContext context) {
        String address = addresses.ofPeer(connection.remoteAddress());
        if (address == null || (!countsOwn && ClientAddress.isOwn(address))) {
            return false;
        }
        int count = open.merge(address, 1, Integer::sum);
        context.channel()
                .closeFuture()
                .addListener(closed -> open.computeIfPresent(address, (same, left) -> left == 1 ? null : left - 1));
        if (count > perAddressMax) {
            if (count > 2L * perAddressMax) {
                connection.close().onFailure(gone -> {});
            } else {
                surplus.put(connection, Limit.ADDRESS);
            }
            metrics.addressRefused.increment();
        }
        return count > perAddressMax;
    }

    /** Must be called for each request with a header that names the client behind a proxy. */
    void forwarded(HttpServerRequest request) {
        proxies.look(request);
    }

    /** Why the connection is one too many; null = it is not. */
    public Refusal refusal(HttpConnection connection) {
        Limit limit = surplus.isEmpty() ? null : surplus.get(connection);
        if (limit == null) {
            return null;
        }
        return switch (limit) {
            case ADDRESS ->
                Refusal.tooMany(
                        "There are too many connections from your address: close some, or use those that you have again.",
                        RETRY_SECONDS);
            case PROCESS ->
                Refusal.overloaded(
                        "The server has as many connections as it may have: try again in half a minute.",
                        RETRY_SECONDS);
        };
    }
}
