package io.fanfare.worker;

import io.fanfare.common.event.EventLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts once a minute what the event log remembers, for the operator: that memory grows with every event and stays for
 * days. The {@link LeadLoop} does so. One event loop.
 */
final class BusSize {
    private static final Logger LOG = LoggerFactory.getLogger(BusSize.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final EventLog events;
    private final InstantSource clock;
    private final QueueDepths depths;
    private final LeadLoop lead;
    private final String name;
    private boolean stopped;

    /** @param name of the worker that it belongs to */
    BusSize(Vertx vertx, EventLog events, InstantSource clock, QueueDepths depths, LeadLoop lead, String name) {
        this.vertx = vertx;
        this.events = events;
        this.clock = clock;
        this.depths = depths;
        this.lead = lead;
        this.name = name;
    }

    void start() {
        if (stopped) {
            return;
        }
        count().onFailure(cause -> LOG.debug("bus not counted cause={}", RetryPolicy.describe(cause)))
                .onComplete(done -> vertx.setTimer(PAUSE.toMillis(), timer -> start()));
    }

    void stop() {
        stopped = true;
    }

    private Future<Void> count() {
        return lead.isLed(name)
                ? events.remembered(clock.millis())
                        .onSuccess(depths::setRemembered)
                        .mapEmpty()
                : Future.succeededFuture();
    }
}
