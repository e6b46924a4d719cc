package io.fanfare.server.http;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much memory the request bodies of this process take together: {@code http.bodies-in-flight-bytes}, for every role
 * and event loop. What would go beyond it is refused ({@code OVERLOADED}). Safe for every thread.
 *
 * <p>Charged is the memory that a body has been given, once that is more than a kilobyte ({@link CollectedBytes}; of
 * multipart forms all of it). It grows with the bytes that have arrived, not with the length that the head declares: a
 * head costs its sender nothing, so that sixteen stalled requests that declare 2 MiB each would use up the whole
 * budget. Nobody can use up the whole of it alone: requests without a user's token have half of it together, one
 * address an eighth, one user a quarter; and no body is waited for longer than {@code http.request-timeout}.
 */
public final class BodyBudget {
    /** Requests without the token of a user have this part of the budget together. */
    private static final int ANONYMOUS_PART = 2;

    /** One address, for its requests without the token of a user. */
    private static final int ADDRESS_PART = 8;

    /** One user, whatever the number of tokens. */
    private static final int USER_PART = 4;

    private static final String ALL = "all";
    private static final String ANONYMOUS = "anonymous";
    private static final String ADDRESS = "a.";

    private final long max;

    /** Bytes by who has them: everybody, everybody without a user's token, one address; one user, by id. */
    private final Map<Object, Long> held = new ConcurrentHashMap<>();

    private final Counter refused;
    private final Counter abandoned;

    public BodyBudget(Settings.Http settings, MeterRegistry metrics) {
        this.max = settings.bodiesInFlightBytes();
        Gauge.builder("fanfare.http.bodies.in.flight", this, BodyBudget::bytes)
                .description("Memory of the request bodies that are being received or worked on")
                .baseUnit("bytes")
                .register(metrics);
        this.refused = Counter.builder("fanfare.http.bodies.refused")
                .description("Requests refused because of the memory that request bodies take")
                .register(metrics);
        this.abandoned = Counter.builder("fanfare.http.bodies.abandoned")
                .description("Requests whose client left before the body was complete")
                .register(metrics);
    }

    /** The bytes that all bodies hold at the moment. */
    public long bytes() {
        return held.getOrDefault(ALL, 0L);
    }

    /** A client has left before its body was complete. */
    void abandoned() {
        abandoned.increment();
    }

    /** Begins to count a body of a user, with nothing so far. */
    Claim ofUser(long userId) {
        return new Claim(userId, max / USER_PART, /* anonymous= */ false);
    }

    /** Begins to count a body of nobody, or of an app, which anybody may register. */
    Claim ofAddress(String address) {
        return new Claim(
                ADDRESS + address, ClientAddress.isOwn(address) ? max : max / ADDRESS_PART, /* anonymous= */ true);
    }

    /** The bytes that one body holds. Confined to the event loop of its request. */
    final class Claim {
        private final Object client;
        private final long clientMax;
        private final boolean anonymous;
        private long bytes;

        private Claim(Object client, long clientMax, boolean anonymous) {
            this.client = client;
            this.clientMax = clientMax;
            this.anonymous = anonymous;
        }

        /** Refuses ({@code OVERLOADED}) what is over a bound, and then counts nothing of it. */
        void add(long more) {
            if (more == 0) {
                return;
            }
            bytes += more;
            // All are charged before any is looked at, so that all are given back when one is over.
            long all = charge(ALL, more);
            long own = charge(client, more);
            long strangers = anonymous ? charge(ANONYMOUS, more) : 0;
            boolean fits = all <= max && own <= clientMax && strangers <= max / ANONYMOUS_PART;
            if (!fits) {
                giveBack(more);
                refused.increment();
                throw new Refusal(
                        Refusal.Reason.OVERLOADED,
                        "Too many request bodies are being received at the moment: try again in a few seconds.");
            }
        }

        /** Gives back so much, or what there is. */
        void less(long bytesLess) {
            giveBack(Math.min(bytesLess, bytes));
        }

        /** Gives back everything. May be called again. */
        void release() {
            giveBack(bytes);
        }

        private void giveBack(long less) {
            if (less > 0) {
                bytes -= less;
                charge(ALL, -less);
                charge(client, -less);
                if (anonymous) {
                    charge(ANONYMOUS, -less);
                }
            }
        }

        /** Answers what it comes to. */
        @CanIgnoreReturnValue
        private long charge(Object who, long more) {
            // Entries of nothing are dropped, so that nothing is kept of addresses that have gone.
            Long now = held.merge(who, more, (had, added) -> had + added == 0 ? null : Long.valueOf(had + added));
            return now == null ? 0 : now;
        }
    }
}
