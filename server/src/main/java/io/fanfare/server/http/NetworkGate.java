package io.fanfare.server.http;

import io.fanfare.common.siteblock.KnownBlocks;
import io.vertx.core.http.HttpServerRequest;

/**
 * Refuses every request from the networks to which moderators have closed the site. Costs one comparison while there is
 * no such network, and one binary search otherwise. Confined to one event loop.
 */
public final class NetworkGate {
    /** The answer to a refused request. */
    static final String CLOSED = "This server takes no requests from your network: its moderators have blocked it.";

    private final ClientAddress addresses;
    private final KnownBlocks blocks;

    public NetworkGate(ClientAddress addresses, KnownBlocks blocks) {
        this.addresses = addresses;
        this.blocks = blocks;
    }

    /** Whether a request is refused. The machine itself never is, so that its operator can remove a block. */
    public boolean refuses(HttpServerRequest request) {
        if (!blocks.closesNetworks()) {
            return false;
        }
        String address = addresses.of(request);
        return !ClientAddress.isOwn(address) && blocks.isClosedTo(address);
    }
}
