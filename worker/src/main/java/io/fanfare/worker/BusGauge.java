package io.fanfare.worker;

import io.fanfare.common.event.EventLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts once a minute what the event log remembers, for the operator: that memory grows with every event and stays for
 * days. Where it is more than {@code stream.log-subjects}, forgets the oldest hours. The {@link LeadLoop} does so. One
 * event loop.
 */
final class BusGauge {
    private static final Logger LOG = LoggerFactory.getLogger(BusGauge.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    /** Hours that are never forgotten: jobs are tried again within them. */
    private static final int NEWEST_HOURS = 2;

    private final Vertx vertx;
    private final EventLog events;
    private final long subjectsMax;
    private final InstantSource clock;
    private final QueueDepths depths;
    private final LeadLoop lead;
    private final String name;
    private boolean stopped;

    /**
     * @param subjectsMax {@code stream.log-subjects}
     * @param name of the worker that it belongs to
     */
    BusGauge(
            Vertx vertx,
            EventLog events,
            long subjectsMax,
            InstantSource clock,
            QueueDepths depths,
            LeadLoop lead,
            String name) {
        this.subjectsMax = subjectsMax;
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
                ? events.rememberedByHour(clock.millis()).compose(hours -> {
                    depths.setRemembered(sum(hours.values()));
                    return new Cut(hours).run();
                })
                : Future.succeededFuture();
    }

    private static long sum(Collection<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** Forgets hours until what is left fits, one step after the other. */
    private final class Cut {
        private final Deque<Long> oldest;
        private final Promise<Void> done = Promise.promise();
        private long left;
        private long forgotten;

        Cut(SortedMap<Long, Long> hours) {
            long newest = hours.isEmpty() ? 0 : hours.lastKey() - NEWEST_HOURS;
            oldest = new ArrayDeque<>(hours.keySet().stream()
                    .filter(hour -> hour < newest && hours.get(hour) > 0)
                    .toList());
            left = sum(hours.values());
        }

        Future<Void> run() {
            next();
            return done.future();
        }

        private void next() {
            if (left <= subjectsMax || oldest.isEmpty() || stopped) {
                depths.setRemembered(left);
                if (forgotten > 0) {
                    LOG.info("bus has forgotten subjects count={} left={} max={}", forgotten, left, subjectsMax);
                }
                done.complete();
                return;
            }
            step(oldest.remove(), /* notifications= */ false, EventLog.Forgotten.BEGIN);
        }

        private void step(long hour, boolean notifications, String cursor) {
            events.forget(hour, notifications, cursor)
                    .onComplete(
                            step -> {
                                left -= step.forgotten();
                                forgotten += step.forgotten();
                                if (!step.isWhole()) {
                                    step(hour, notifications, step.next());
                                } else if (notifications) {
                                    next();
                                } else {
                                    step(hour, /* notifications= */ true, EventLog.Forgotten.BEGIN);
                                }
                            },
                            done::fail);
        }
    }
}
