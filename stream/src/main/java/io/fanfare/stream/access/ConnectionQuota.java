package io.fanfare.stream.access;

import io.fanfare.common.http.ClientAddress;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.wire.Disconnect;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many connections each user and each address has on this event loop. One too many of a user ends the user's
 * oldest, whose client may be gone without a word; one too many of an address, behind which there may be many people,
 * is refused. Confined to one event loop.
 */
final class ConnectionQuota {
    /** When whoever is refused should come back; clients of Twitter's API double it each time. */
    private static final long RETRY_SECONDS = 30;

    private final int perUserMax;
    private final int perAddressMax;
    private final Map<Long, Set<Connection>> byUser = new HashMap<>();
    private final Map<String, Integer> byAddress = new HashMap<>();

    ConnectionQuota(Settings.Stream settings) {
        this.perUserMax = settings.perUserMax();
        this.perAddressMax = settings.perAddressMax();
    }

    /** Throws {@code Refusal(TOO_MANY)} when the address has as many as it may. */
    void admit(String address) {
        if (byAddress.getOrDefault(address, 0) >= perAddressMax) {
            throw Refusal.tooMany("There are too many streams from your address: close one.", RETRY_SECONDS);
        }
    }

    /**
     * Counts a connection until it ends.
     *
     * @param userId 0 = nobody
     */
    void add(long userId, String address, Connection connection) {
        if (userId != 0) {
            Set<Connection> open = byUser.computeIfAbsent(userId, none -> new LinkedHashSet<>());
            open.add(connection);
            connection.whenEnded(() -> leave(userId, open, connection));
            if (open.size() > perUserMax) {
                open.iterator().next().evict(Disconnect.ADMIN_LOGOUT);
            }
        }
        if (!ClientAddress.isOwn(address)) {
            byAddress.merge(address, 1, Integer::sum);
            connection.whenEnded(
                    () -> byAddress.computeIfPresent(address, (same, open) -> open == 1 ? null : open - 1));
        }
    }

    private void leave(long userId, Set<Connection> open, Connection connection) {
        open.remove(connection);
        if (open.isEmpty()) {
            byUser.remove(userId, open);
        }
    }
}
