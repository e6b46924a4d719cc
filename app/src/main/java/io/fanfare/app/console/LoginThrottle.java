package io.fanfare.app.console;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How often wrong tokens may be tried: {@link #PER_ADDRESS} times from an address and then once a minute, and
 * {@link #ALTOGETHER} times from all and then once a second. Right ones cost nothing, but are not looked at while their
 * address has to wait. One event loop.
 */
final class LoginThrottle {
    static final int PER_ADDRESS = 10;
    static final int ALTOGETHER = 100;

    private static final Duration PER_ADDRESS_PACE = Duration.ofMinutes(1);
    private static final Duration ALTOGETHER_PACE = Duration.ofSeconds(1);
    private static final int ADDRESSES_MAX = 1000;

    private final LongSupplier nanos;
    private final Allowance all;
    private final Map<String, Allowance> byAddress = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Allowance> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    LoginThrottle(LongSupplier nanos) {
        this.nanos = nanos;
        this.all = new Allowance(ALTOGETHER, ALTOGETHER_PACE.toNanos(), nanos.getAsLong());
    }

    /** Seconds until a token from the address is looked at again; 0 = now. */
    long waitSeconds(String address) {
        long now = nanos.getAsLong();
        Allowance own = byAddress.get(address);
        return Math.max(all.waitSeconds(now), own == null ? 0 : own.waitSeconds(now));
    }

    /** A wrong one has come. */
    void failed(String address) {
        long now = nanos.getAsLong();
        all.take(now);
        byAddress
                .computeIfAbsent(address, none -> new Allowance(PER_ADDRESS, PER_ADDRESS_PACE.toNanos(), now))
                .take(now);
    }

    /** So many at once, and then at an even pace. */
    private static final class Allowance {
        private final long nanosEach;
        private final long nanosMax;
        private long saved;
        private long at;

        Allowance(int atOnce, long nanosEach, long now) {
            this.nanosEach = nanosEach;
            this.nanosMax = nanosEach * atOnce;
            this.saved = nanosMax;
            this.at = now;
        }

        void take(long now) {
            save(now);
            saved -= nanosEach;
        }

        long waitSeconds(long now) {
            save(now);
            long second = Duration.ofSeconds(1).toNanos();
            return saved >= nanosEach ? 0 : (nanosEach - saved + second - 1) / second;
        }

        private void save(long now) {
            saved = Math.min(nanosMax, saved + Math.max(0, now - at));
            at = now;
        }
    }
}
