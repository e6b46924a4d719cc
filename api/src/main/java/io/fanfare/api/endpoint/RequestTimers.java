package io.fanfare.api.endpoint;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * How long the requests of one endpoint took, by class of status: 2xx, 4xx, 5xx. A series begins with the first answer
 * of its class: four for each endpoint from the start on would be some 9,000 lines of every scrape, and a tenth of a
 * start. One event loop.
 */
public final class RequestTimers {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private final MeterRegistry metrics;
    private final Endpoint endpoint;
    private final Timer[] byStatus = new Timer[6];

    public RequestTimers(MeterRegistry metrics, Endpoint endpoint) {
        this.metrics = metrics;
        this.endpoint = endpoint;
    }

    /** All event loops share one timer per class of status: a second registration returns the existing timer. */
    private Timer timer(int hundred) {
        Timer known = byStatus[hundred];
        if (known != null) {
            return known;
        }
        Timer timer = Timer.builder("fanfare.http.requests")
                .description("Requests by route: from the head's arrival to the answer's last byte.")
                .tag("method", endpoint.method().name())
                .tag("route", endpoint.path())
                .tag("status", hundred + "xx")
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
        byStatus[hundred] = timer;
        return timer;
    }

    public Timer.Sample start() {
        return Timer.start(metrics);
    }

    public void stop(Timer.Sample sample, int status) {
        sample.stop(timer(Math.max(2, Math.min(5, status / 100))));
    }
}
