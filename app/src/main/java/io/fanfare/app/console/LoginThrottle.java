package io.fanfare.app.console;

import io.fanfare.server.http.TokenBucket;
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
    private final TokenBucket all;
    private final Map<String, TokenBucket> byAddress = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    LoginThrottle(LongSupplier nanos) {
        this.nanos = nanos;
        this.all = new TokenBucket(ALTOGETHER, ALTOGETHER_PACE, nanos.getAsLong());
    }

    /** Seconds that the address has to wait before its next wrong token; 0 = none. */
    long waitSeconds(String address) {
        long now = nanos.getAsLong();
        TokenBucket own = byAddress.get(address);
        long wait = Math.max(all.waitNanos(now), own == null ? 0 : own.waitNanos(now));
        long second = Duration.ofSeconds(1).toNanos();
        return (wait + second - 1) / second;
    }

    /** A wrong one has come, of an address that did not have to wait. */
    void failed(String address) {
        long now = nanos.getAsLong();
        boolean unused = all.take(now);
        boolean unusedToo = byAddress
                .computeIfAbsent(address, none -> new TokenBucket(PER_ADDRESS, PER_ADDRESS_PACE, now))
                .take(now);
    }
}
