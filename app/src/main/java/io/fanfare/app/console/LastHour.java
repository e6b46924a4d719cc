package io.fanfare.app.console;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** The figures of this process every {@link #STEP} of its last hour. One event loop. */
final class LastHour {
    static final Duration STEP = Duration.ofSeconds(10);
    private static final int POINTS_MAX = (int) (Duration.ofHours(1).toMillis() / STEP.toMillis());

    private final MeterRegistry metrics;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Deque<Point> points = new ArrayDeque<>();
    private Figures last;
    private long lastNanos;
    private long taken;

    /** @param nanos elapsed time */
    LastHour(MeterRegistry metrics, InstantSource clock, LongSupplier nanos) {
        this.metrics = metrics;
        this.clock = clock;
        this.nanos = nanos;
        this.last = Figures.of(metrics);
        this.lastNanos = nanos.getAsLong();
    }

    /**
     * One step.
     *
     * @param number counts the steps, from 1 on
     * @param seconds how long it took
     * @param done what was done in it
     */
    private record Point(long number, long atMillis, double seconds, Figures done) {}

    /** Takes a point; to be called every {@link #STEP}. The figures as they are now. */
    Figures take() {
        Figures now = Figures.of(metrics);
        long elapsed = nanos.getAsLong();
        double seconds = (elapsed - lastNanos) / (double) Duration.ofSeconds(1).toNanos();
        taken++;
        points.addLast(new Point(taken, clock.millis(), seconds, now.since(last)));
        if (points.size() > POINTS_MAX) {
            points.removeFirst();
        }
        last = now;
        lastNanos = elapsed;
        return now;
    }

    /** @param after the number of the last point that is known already; 0 = none */
    JsonObject json(long after) {
        JsonArray shown = new JsonArray();
        points.stream()
                .filter(point -> point.number() > after)
                .forEach(point -> shown.add(point.done()
                        .json()
                        .put("n", point.number())
                        .put("at", point.atMillis())
                        .put("seconds", point.seconds())));
        return new JsonObject().put("points", shown);
    }
}
