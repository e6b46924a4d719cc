package io.fanfare.bench.replay;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Measures how long posts take to their last delivery, by looking: of a sample of the posts (every n-th, a few at a
 * time), it asks every few milliseconds until the home of each follower has been seen to hold the status. So a figure
 * is from the post's start to that sight: too long by up to one look, never too short. One event loop.
 */
final class DeliveryProbe {
    /** How many posts are looked after at once; more would measure the looking. */
    private static final int AT_ONCE = 4;

    private static final long GIVE_UP_NANOS = 30_000_000_000L;

    private final Vertx vertx;
    private final Backend backend;
    private final long lookMillis;
    private final LongSupplier nanos;
    private final LongConsumer onLatency;
    private int underWay;
    private long abandoned;

    /**
     * @param lookMillis pause between two looks
     * @param onLatency hears each measured time in nanoseconds
     */
    DeliveryProbe(Vertx vertx, Backend backend, long lookMillis, LongSupplier nanos, LongConsumer onLatency) {
        this.vertx = vertx;
        this.backend = backend;
        this.lookMillis = lookMillis;
        this.nanos = nanos;
        this.onLatency = onLatency;
    }

    /** Watches one acknowledged status, unless enough are watched already. */
    void watch(long status, long startedNanos, List<Person> followers) {
        if (underWay < AT_ONCE && !followers.isEmpty()) {
            underWay++;
            look(new Watch(status, startedNanos, followers));
        }
    }

    /**
     * How many watches ended without a figure, because the homes could not be read or the status did not come within 30
     * s.
     */
    long abandoned() {
        return abandoned;
    }

    boolean isIdle() {
        return underWay == 0;
    }

    private record Watch(long status, long startedNanos, List<Person> lacking) {}

    /** Asks about one reader only, which is cheap, until that one has it; then about all the others. */
    private void look(Watch watch) {
        backend.lacking(watch.lacking().subList(0, 1), watch.status())
                .onComplete(
                        first -> {
                            if (first.isEmpty() && watch.lacking().size() > 1) {
                                lookAtAll(watch);
                            } else {
                                goOn(watch, first.isEmpty() ? List.of() : watch.lacking());
                            }
                        },
                        cause -> abandon());
    }

    private void lookAtAll(Watch watch) {
        List<Person> others =
                new ArrayList<>(watch.lacking().subList(1, watch.lacking().size()));
        backend.lacking(others, watch.status()).onComplete(lacking -> goOn(watch, lacking), cause -> abandon());
    }

    private void goOn(Watch watch, List<Person> lacking) {
        long elapsed = nanos.getAsLong() - watch.startedNanos();
        if (lacking.isEmpty()) {
            underWay--;
            onLatency.accept(elapsed);
        } else if (elapsed > GIVE_UP_NANOS) {
            abandon();
        } else {
            vertx.setTimer(lookMillis, timer -> look(new Watch(watch.status(), watch.startedNanos(), lacking)));
        }
    }

    private void abandon() {
        underWay--;
        abandoned++;
    }
}
