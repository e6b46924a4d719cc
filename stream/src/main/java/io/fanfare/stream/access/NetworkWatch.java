package io.fanfare.stream.access;

import io.fanfare.common.siteblock.KnownBlocks;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.wire.Disconnect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends the open connections of a network once moderators close the site to it. Looks at each address once after a
 * change of the blocks. Confined to one event loop.
 */
final class NetworkWatch {
    private final KnownBlocks blocks;
    private final Map<String, Set<Connection>> byAddress = new HashMap<>();

    NetworkWatch(KnownBlocks blocks) {
        this.blocks = blocks;
        blocks.whenChanged(this::look);
    }

    /** @param address of the client; the machine itself is never blocked, so it is not watched */
    void add(String address, Connection connection) {
        if (ClientAddress.isOwn(address)) {
            return;
        }
        byAddress.computeIfAbsent(address, none -> new HashSet<>(2)).add(connection);
        connection.whenEnded(() -> byAddress.computeIfPresent(address, (same, open) -> {
            open.remove(connection);
            return open.isEmpty() ? null : open;
        }));
        if (blocks.isClosedTo(address)) {
            // The network was blocked between the request and the stream.
            connection.evict(Disconnect.CONTROL_REQUEST);
        }
    }

    private void look() {
        if (!blocks.closesNetworks()) {
            return;
        }
        List<Connection> closed = byAddress.entrySet().stream()
                .filter(open -> blocks.isClosedTo(open.getKey()))
                .flatMap(open -> open.getValue().stream())
                .toList();
        closed.forEach(connection -> connection.evict(Disconnect.CONTROL_REQUEST));
    }
}
