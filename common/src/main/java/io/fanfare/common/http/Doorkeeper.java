package io.fanfare.common.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * How many connections each address has on this event loop, whatever it does with them. Whoever has one too many is told so at the first request there, and the connection is
 * closed; from twice as many on nothing is told any more. Not counted are trusted proxies, behind which there are many people, and the machine itself. Confined to one event loop.
 */
public final class Doorkeeper {
    /** When whoever is sent away should come back. */
    private static final long RETRY_SECONDS = 30;

    private final int max;
    private final ClientAddress addresses;
    private final boolean countsOwn;
    private final Map<String, Integer> open = new HashMap<>();
    private final Set<HttpConnection> surplus = Collections.newSetFromMap(new WeakHashMap<>());

    public Doorkeeper(Settings.Http settings) {
        this(settings, /* countsOwn= */ false);
    }

    /** @param countsOwn whether the machine itself is counted, as a test needs it */
    Doorkeeper(Settings.Http settings, boolean countsOwn) {
        this.max = settings.perAddressMax();
        this.addresses = new ClientAddress(settings.trustedProxies());
        this.countsOwn = countsOwn;
    }

    /** For {@code HttpServer.connectionHandler}. */
    public void opened(HttpConnection connection) {
        String address = addresses.ofPeer(connection.remoteAddress());
        if (address == null || (!countsOwn && ClientAddress.isOwn(address))) {
            return;
        }
        int count = open.merge(address, 1, Integer::sum);
        // That of the socket: one that became a WebSocket does not tell its HTTP connection when it ends.
        ((HttpServerConnection) connection)
                .channelHandlerContext()
                .channel()
                .closeFuture()
                .addListener(closed -> open.computeIfPresent(address, (same, left) -> left == 1 ? null : left - 1));
        if (count > 2 * max) {
            connection.close().onFailure(gone -> {});
        } else if (count > max) {
            surplus.add(connection);
        }
    }

    /** Whether the connection is one too many. */
    boolean isSurplus(HttpConnection connection) {
        return !surplus.isEmpty() && surplus.contains(connection);
    }

    static Refusal refusal() {
        return Refusal.tooMany(
                "There are too many connections from your address: close some, or use those that you have again.",
                RETRY_SECONDS);
    }
}
