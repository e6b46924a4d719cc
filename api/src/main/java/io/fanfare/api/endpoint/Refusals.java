package io.fanfare.api.endpoint;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counts what rate limits refuse, by limit and reason; every pair is there from the start, so that their number has a
 * bound. Confined to one event loop.
 */
public final class Refusals {
    /** The limit on log-ins at one account, which is no {@link RateLimit}. */
    static final String LOGINS_PER_ACCOUNT = "logins-per-account";

    /** Why. */
    enum Reason {
        /** The limit is used up. */
        SPENT,
        /** Redis is away or full, and what it cannot count is refused. */
        UNCOUNTED
    }

    private final Map<String, Map<Reason, Counter>> counters = new HashMap<>();

    public Refusals(MeterRegistry metrics) {
        for (RateLimit limit : RateLimit.values()) {
            if (limit != RateLimit.NONE) {
                register(metrics, limit.key());
            }
        }
        register(metrics, LOGINS_PER_ACCOUNT);
    }

    private void register(MeterRegistry metrics, String limit) {
        Map<Reason, Counter> byReason = new HashMap<>();
        for (Reason reason : Reason.values()) {
            byReason.put(
                    reason,
                    Counter.builder("fanfare.refusals")
                            .description("Requests that a rate limit has refused.")
                            .tag("limit", limit)
                            .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                            .register(metrics));
        }
        counters.put(limit, byReason);
    }

    void count(String limit, Reason reason) {
        counters.get(limit).get(reason).increment();
    }
}
