package io.fanfare.app.console;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How often a wrong token is told to be wrong: {@link #PER_ADDRESS} times from an address and then once a minute, and
 * {@link #ALTOGETHER} times from all and then once a second. One event loop.
 *
 * <p>Right tokens are not asked about here: behind a proxy or on the machine itself everybody has one address, and
 * whoever sent wrong ones would keep operators out. What makes guessing hopeless is the length of the tokens.
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

    /** Seconds that the address has to wait before its next wrong token; 0 = none. */
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
        private final long paceNanos;
        private final long savedNanosMax;
        private long savedNanos;
        private long savedAtNanos;

        Allowance(int atOnce, long paceNanos, long now) {
            this.paceNanos = paceNanos;
            this.savedNanosMax = paceNanos * atOnce;
            this.savedNanos = savedNanosMax;
            this.savedAtNanos = now;
        }

        void take(long now) {
            save(now);
            savedNanos -= paceNanos;
        }

        long waitSeconds(long now) {
            save(now);
            long second = Duration.ofSeconds(1).toNanos();
            return savedNanos >= paceNanos ? 0 : (paceNanos - savedNanos + second - 1) / second;
        }

        private void save(long now) {
            savedNanos = Math.min(savedNanosMax, savedNanos + Math.max(0, now - savedAtNanos));
            savedAtNanos = now;
        }
    }
}
