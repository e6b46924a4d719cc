package io.fanfare.redis;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of links to Redis: how long answers take, and how connections end. Each event loop may have one on the
 * registry of the process; those of one name count together. Thread-safe.
 */
public final class LinkMetrics {
    /** For links that nobody watches. */
    static final LinkMetrics NONE = new LinkMetrics(new CompositeMeterRegistry(), "none");

    private static final Duration[] BOUNDS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    /** Why there is no connection. */
    enum Loss {
        /** The server, or the network, has ended it. */
        CLOSED,
        /** No answer came in time. */
        TIMEOUT,
        /** The server is no master any more. */
        REPLICA,
        /** The slot of a subscription has moved to another node. */
        MOVED,
        /** A subscription received nothing, though the connection seemed well. */
        SILENT,
        /** The bytes received were no answer. */
        PROTOCOL,
        /**
         * The server did not take the subscription: it is loading, the slot lies at another node, or the user may not
         * subscribe.
         */
        REFUSED,
        /** None could be made. */
        UNREACHABLE
    }

    private final Timer roundTrips;
    private final LongTaskTimer away;
    private final Map<Loss, Counter> reconnects = new EnumMap<>(Loss.class);

    /** @param link which links these are, such as the name of a role */
    public LinkMetrics(MeterRegistry registry, String link) {
        roundTrips = Timer.builder("fanfare.redis.round.trips")
                .description("From sending a command to its answer: of commands that wait together one in sixteen")
                .tag("link", link)
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
        away = LongTaskTimer.builder("fanfare.redis.away")
                .description("Connections to Redis that are lost, and for how long")
                .tag("link", link)
                .register(registry);
        for (Loss loss : Loss.values()) {
            reconnects.put(
                    loss,
                    Counter.builder("fanfare.redis.reconnects")
                            .description("Connections to Redis that were lost and stand again, by why they were lost")
                            .tag("link", link)
                            .tag("reason", loss.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    void answeredAfter(long nanos) {
        roundTrips.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A connection is gone, until {@link Outage#restored} or {@link Outage#givenUp}. */
    Outage lost(Loss why) {
        LongTaskTimer.Sample sample = away.start();
        return new Outage() {
            @Override
            public void restored() {
                reconnects.get(why).increment();
                givenUp();
            }

            @Override
            public void givenUp() {
                long unused = sample.stop();
            }
        };
    }

    /** While a connection is away. One of the two is called, once. */
    interface Outage {
        /** A new connection stands. */
        void restored();

        /** None is wanted any more. */
        void givenUp();
    }
}
