package io.fanfare.stream.relay;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Proves again and again that what is published comes through: a beat of our own goes to Redis and must come back on
 * the subscription, behind everything that waits there. It shows how far the relay lags, and finds the subscription
 * that is dead without a sign: one to a server that nobody publishes on any more, left behind by a failover or cut off
 * from its cluster, answers PING for ever. Confined to one event loop, but for {@link #lagNanos}.
 */
final class RelayWatchdog {
    private static final long EVERY_MILLIS_MAX = 1000;

    /** Beats within the longest lag that is allowed: lost ones of a moment's outage are no verdict. */
    private static final int BEATS = 5;

    private final Vertx vertx;
    private final RedisLink link;
    private final LongSupplier nanos;
    private final long lagNanosMax;
    private final long everyMillis;
    private final Runnable dead;

    /** On it the beats come back. */
    final String channel;

    private long timer = -1;
    private long ticked;

    /**
     * When Redis first answered that it has taken a beat, since the last one came back; 0 = it has not. Both take the
     * same way, however slow that is.
     */
    private long outstanding;

    // Written here, read by the process's probes.
    private volatile long provenNanos;
    private volatile long tookNanos;

    /**
     * @param relay a name that no other has
     * @param nanos elapsed time, for any thread
     * @param dead called when Redis takes beats and none has come back for {@code lagMax}; perhaps again, when that has
     *     not helped
     */
    RelayWatchdog(Vertx vertx, RedisLink link, String relay, LongSupplier nanos, Duration lagMax, Runnable dead) {
        this.vertx = vertx;
        this.link = link;
        this.nanos = nanos;
        this.lagNanosMax = lagMax.toNanos();
        this.everyMillis = Math.min(EVERY_MILLIS_MAX, lagMax.toMillis() / BEATS);
        this.dead = dead;
        this.channel = Keys.busBeat(relay);
    }

    void start() {
        ticked = nanos.getAsLong();
        provenNanos = ticked;
        timer = Ticks.every(vertx, everyMillis, this::tick);
    }

    void close() {
        vertx.cancelTimer(timer);
    }

    /** The subscription is new: it has all the time to prove itself. */
    void renewed() {
        outstanding = 0;
    }

    /** A beat has come back. */
    void received(String beat) {
        long sent = Long.parseLong(beat);
        provenNanos = sent;
        tookNanos = nanos.getAsLong() - sent;
        outstanding = 0;
    }

    /** How old the news is: what the newest beat took, or for how long beats are missing. For any thread. */
    long lagNanos() {
        long missing = nanos.getAsLong() - provenNanos - TimeUnit.MILLISECONDS.toNanos(everyMillis);
        return Math.max(tookNanos, missing);
    }

    private void tick() {
        long now = nanos.getAsLong();
        // A loop that was held up itself must read what has come before it says that nothing came.
        boolean late = now - ticked > 2 * TimeUnit.MILLISECONDS.toNanos(everyMillis);
        ticked = now;
        if (!late && outstanding != 0 && now - outstanding > lagNanosMax) {
            outstanding = 0;
            dead.run();
        }
        link.send(Command.routed("SPUBLISH", Keys.BUS_SEQ, channel, Long.toString(now)))
                .onSuccess(receivers -> taken(now))
                .onFailure(away -> {});
    }

    private void taken(long sent) {
        if (outstanding == 0 && sent > provenNanos) {
            outstanding = nanos.getAsLong();
        }
    }
}
