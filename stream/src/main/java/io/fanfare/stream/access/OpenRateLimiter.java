package io.fanfare.stream.access;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.server.http.ClientAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * How often each user and each address opens streams of this process, or asks for what goes with them: as often at once
 * as in a minute ({@code stream.per-user-rate}, {@code stream.per-address-rate}), and then again at an even pace. Each
 * opening costs questions to Redis, so a client that comes back without waiting would be served at the expense of those
 * who stay. Safe for every thread: the event loops of a process share it.
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
     * Throws {@code Refusal(TOO_MANY)} for an address that comes too often; runs before any other check of a request.
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

    /** When each may come: everybody runs up a debt of one step, which time pays off. Safe for every thread. */
    public static final class Pace<K> {
        private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

        /** Openings remembered: the oldest is forgotten before its time when there are more. */
        private static final int KNOWN_MAX = 100_000;

        private final long stepNanos;

        /** When each will have paid. */
        private final Map<K, Long> paidAt = new ConcurrentHashMap<>();

        /** Openings in the order in which they came. */
        private final Queue<Opening<K>> openings = new LinkedBlockingQueue<>();

        /** @param paidAt of {@code who}, unless another opening came behind this one */
        private record Opening<K>(K who, long paidAt) {}

        /** @param perMinute at most {@code 10^9} */
        public Pace(int perMinute) {
            this.stepNanos = WINDOW_NANOS / perMinute;
        }

        /**
         * The nanoseconds until the next opening is allowed; 0 = this one is, and is counted. Must be called with times
         * that do not go back by much.
         */
        public long pass(K who, long nanos) {
            forget(nanos);
            long[] wait = new long[1];
            long paid = paidAt.compute(who, (same, known) -> {
                long debt = (known == null ? 0 : Math.max(0, known - nanos)) + stepNanos;
                wait[0] = Math.max(0, debt - WINDOW_NANOS);
                return wait[0] > 0 ? known : Long.valueOf(nanos + debt);
            });
            if (wait[0] == 0) {
                openings.add(new Opening<>(who, paid));
            }
            return wait[0];
        }

        /** Nobody owes more than the window, so the debt of the oldest opening is paid soon. */
        private void forget(long nanos) {
            Opening<K> oldest = openings.peek();
            while (oldest != null && (oldest.paidAt() - nanos <= 0 || openings.size() > KNOWN_MAX)) {
                // Another event loop may have been first.
                if (openings.remove(oldest)) {
                    paidAt.remove(oldest.who(), oldest.paidAt());
                }
                oldest = openings.peek();
            }
        }

        public int known() {
            return paidAt.size();
        }
    }
}
