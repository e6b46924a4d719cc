package io.fanfare.stream.access;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Context;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many connections each token, each user and each address has in this process. One too many of a token or a user
 * ends its oldest, whose client may be gone without a word; one too many of an address, behind which there may be many
 * people, is refused. Safe for every thread: the event loops of a process share it.
 */
final class ConnectionQuota {
    /** When a client that is refused should come back; clients of Twitter's API double it each time. */
    private static final long RETRY_SECONDS = 30;

    private final OldestLeaves<String> byToken;
    private final OldestLeaves<Long> byUser;
    private final int perAddressMax;
    private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

    ConnectionQuota(Settings.Stream settings) {
        this.byToken = new OldestLeaves<>(settings.perTokenMax());
        this.byUser = new OldestLeaves<>(settings.perUserMax());
        this.perAddressMax = settings.perAddressMax();
    }

    /** Throws {@code Refusal(TOO_MANY)} when the address has as many as it may. */
    void admit(String address) {
        if (byAddress.getOrDefault(address, 0) >= perAddressMax) {
            throw Refusal.tooMany("There are too many streams from your address: close one.", RETRY_SECONDS);
        }
    }

    /**
     * Counts a connection until it ends. It ends at once when others of its address, which {@link #admit} let pass at
     * the same moment, have taken the last place.
     *
     * @param loop the event loop of the connection, on which this is called
     */
    void add(StreamAdmission.Listener listener, String address, Connection connection, Context loop) {
        if (!ClientAddress.isOwn(address)) {
            if (!take(address)) {
                connection.evict(Disconnect.SHED_LOAD);
                return;
            }
            connection.whenEnded(
                    () -> byAddress.computeIfPresent(address, (same, open) -> open == 1 ? null : open - 1));
        }
        if (listener.principal() != null) {
            byToken.add(listener.principal().tokenId(), connection, loop);
        }
        if (listener.userId() != 0) {
            byUser.add(listener.userId(), connection, loop);
        }
    }

    private boolean take(String address) {
        boolean[] taken = new boolean[1];
        byAddress.compute(address, (same, known) -> {
            int open = known == null ? 0 : known;
            taken[0] = open < perAddressMax;
            return taken[0] ? open + 1 : known;
        });
        return taken[0];
    }

    /** The connections of each holder, oldest first. Safe for every thread. */
    private static final class OldestLeaves<K> {
        private final int most;

        /** Maps of connections are touched within calls of this one alone, which it makes one after the other. */
        private final Map<K, Map<Connection, Context>> open = new ConcurrentHashMap<>();

        OldestLeaves(int most) {
            this.most = most;
        }

        void add(K holder, Connection connection, Context loop) {
            Map<Connection, Context> leaving = new HashMap<>(1);
            open.compute(holder, (same, known) -> {
                Map<Connection, Context> of = known == null ? new LinkedHashMap<>() : known;
                of.put(connection, loop);
                if (of.size() > most) {
                    // It counts no longer, or a second one would go in its place.
                    Connection oldest = of.keySet().iterator().next();
                    leaving.put(oldest, of.remove(oldest));
                }
                return of;
            });
            connection.whenEnded(() -> leave(holder, connection));
            // Only its own event loop may touch it.
            leaving.forEach((oldest, home) -> home.runOnContext(turn -> oldest.evict(Disconnect.ADMIN_LOGOUT)));
        }

        private void leave(K holder, Connection connection) {
            open.computeIfPresent(holder, (same, of) -> {
                of.remove(connection);
                return of.isEmpty() ? null : of;
            });
        }
    }
}
