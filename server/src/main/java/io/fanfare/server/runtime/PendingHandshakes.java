package io.fanfare.server.runtime;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The TLS handshakes under way of all event loops together. Of one address there is a bounded number. When there are as
 * many as there may be in all, one of the address with the most makes room for the next. Safe for every thread; a call
 * holds the lock for a few lookups, and at the limit for one look at each handshake.
 */
final class PendingHandshakes {
    private final int max;
    private final int addressMax;
    private final Map<String, Integer> ofAddress = new HashMap<>();

    /** Without a whole ClientHello; the oldest first. */
    private final Set<Handshake> silent = new LinkedHashSet<>();

    /** With one, in the order in which those came. */
    private final Set<Handshake> speaking = new LinkedHashSet<>();

    /**
     * @param max of all addresses together
     * @param addressMax of one address
     */
    PendingHandshakes(int max, int addressMax) {
        this.max = max;
        this.addressMax = addressMax;
    }

    /** One handshake; the same only as itself. */
    static final class Handshake {
        private final String address;
        private final Runnable close;

        /**
         * @param address null = it counts for no address
         * @param close closes the connection, called by any thread
         */
        Handshake(String address, Runnable close) {
            this.address = address;
            this.close = close;
        }
    }

    /** The result for a handshake that begins. */
    enum Begun {
        /** There was room. */
        ROOM,
        /** Another one was closed for it. */
        MADE_ROOM,
        /** Its address has as many as it may have. */
        REFUSED
    }

    /** Counts a handshake until {@link #end}, unless it is refused. */
    Begun begin(Handshake handshake) {
        Handshake victim;
        synchronized (this) {
            if (handshake.address != null && ofAddress.getOrDefault(handshake.address, 0) >= addressMax) {
                return Begun.REFUSED;
            }
            victim = silent.size() + speaking.size() >= max ? victim() : null;
            if (victim != null) {
                end(victim);
            }
            silent.add(handshake);
            if (handshake.address != null) {
                ofAddress.merge(handshake.address, 1, Integer::sum);
            }
        }
        if (victim == null) {
            return Begun.ROOM;
        }
        victim.close.run();
        return Begun.MADE_ROOM;
    }

    /** The whole ClientHello has come. */
    synchronized void greeted(Handshake handshake) {
        if (silent.remove(handshake)) {
            speaking.add(handshake);
        }
    }

    /** The handshake has ended, well or not. May be called again. */
    synchronized void end(Handshake handshake) {
        boolean counted = silent.remove(handshake) || speaking.remove(handshake);
        if (counted && handshake.address != null) {
            ofAddress.computeIfPresent(handshake.address, (same, left) -> left == 1 ? null : left - 1);
        }
    }

    /** How many there are. */
    synchronized int size() {
        return silent.size() + speaking.size();
    }

    /**
     * The handshake that makes room: of the address with the most, so that a client with one pays for nobody who has
     * 64. Of those the oldest, of the silent ones if these take half of the room: otherwise handshakes that stall
     * behind their ClientHello would leave no time for the ClientHello of a new client.
     */
    private Handshake victim() {
        List<Set<Handshake>> kinds = silent.size() >= max - max / 2 || speaking.isEmpty()
                ? List.of(silent, speaking)
                : List.of(speaking, silent);
        Handshake victim = null;
        int most = 0;
        for (Set<Handshake> kind : kinds) {
            for (Handshake each : kind) {
                int count = each.address == null ? 1 : ofAddress.getOrDefault(each.address, 1);
                if (count > most) {
                    most = count;
                    victim = each;
                }
            }
        }
        return victim;
    }
}
