package io.fanfare.stream.access;

import io.fanfare.common.http.ClientAddress;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How often each user and each address opens streams on this event loop, or asks for what goes with them: as often at
 * once as in a minute ({@code stream.per-user-rate}, {@code stream.per-address-rate}), and then again at an even pace.
 * Each opening costs questions to Redis, so a client that comes back without waiting would be served at the expense of
 * those who stay. Confined to one event loop.
 */
public final class OpenRateLimiter {
    /** How many times as often a /56 of IPv6 may come as a /64 of it, and a /48 as a /56. */
    private static final int WIDER_TIMES = 4;

    private final boolean enabled;
    private final Pace<Long> users;
    private final List<Pace<String>> addresses;

    /** Bounds nobody with {@code limits.enabled: false}. */
    OpenRateLimiter(Settings settings) {
        this.enabled = settings.limits().enabled();
        this.users = new Pace<>(settings.stream().perUserRate());
        int perAddress = settings.stream().perAddressRate();
        this.addresses = List.of(
                new Pace<>(perAddress),
                new Pace<>(WIDER_TIMES * perAddress),
                new Pace<>(WIDER_TIMES * WIDER_TIMES * perAddress));
    }

    /**
     * Throws {@code Refusal(TOO_MANY)} for an address that comes too often; before anything else is asked about a
     * request.
     */
    void from(String address, long nanos) {
        if (enabled && !ClientAddress.isOwn(address)) {
            List<String> networks = ClientAddress.customers(address);
            for (int i = 0; i < networks.size(); i++) {
                check(addresses.get(i).pass(networks.get(i), nanos), "from your address");
            }
        }
    }

    /** The same for a user; 0 = nobody. */
    void of(long user, long nanos) {
        if (enabled && user != 0) {
            check(users.pass(user, nanos), "by this user");
        }
    }

    private static void check(long waitNanos, String whose) {
        if (waitNanos > 0) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(waitNanos) + 1;
            throw Refusal.tooMany(
                    "Streams are opened or changed too often " + whose
                            + ": keep one open instead of asking again and again.",
                    seconds);
        }
    }

    /** When each may come: everybody runs up a debt of one step, which time pays off. */
    public static final class Pace<K> {
        private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

        /** Who has come longest ago is forgotten before its time when there are more. */
        private static final int KNOWN_MAX = 100_000;

        private final long stepNanos;

        /** When each will have paid, in the order in which they have come. */
        private final Map<K, Long> paidAt = new LinkedHashMap<>();

        /** @param perMinute at most {@code 10^9} */
        public Pace(int perMinute) {
            this.stepNanos = WINDOW_NANOS / perMinute;
        }

        /** Nanoseconds until who may come; 0 = has come. To be asked at times that do not go back. */
        public long pass(K who, long nanos) {
            forget(nanos);
            long debt = Math.max(0, paidAt.getOrDefault(who, nanos) - nanos) + stepNanos;
            if (debt > WINDOW_NANOS) {
                return debt - WINDOW_NANOS;
            }
            paidAt.remove(who);
            paidAt.put(who, nanos + debt);
            return 0;
        }

        /** Nobody owes more than the window, so whoever came longest ago has paid soon. */
        private void forget(long nanos) {
            Iterator<Long> oldest = paidAt.values().iterator();
            while (oldest.hasNext() && (oldest.next() - nanos <= 0 || paidAt.size() > KNOWN_MAX)) {
                oldest.remove();
            }
        }

        public int known() {
            return paidAt.size();
        }
    }
}
