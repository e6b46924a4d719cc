package io.fanfare.stream;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogState;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * All open streams of one event loop and what they live from: the ring and the relay that fills it. Wakes the streams when there is news, keeps silent ones open, and ends them
 * all when the process goes down. Confined to the event loop on which it is started.
 */
public final class StreamHub {
    /** Streams served in one turn of the event loop; the next turn goes on, so that a crowd cannot hold it up. */
    private static final int TURN_STREAMS = 500;

    /** Streams ended in one step of a drain, and the pause between steps: those who come back do not come all at once. */
    private static final int DRAIN_STREAMS = 200;

    private static final long DRAIN_PAUSE_MILLIS = 20;

    /** How long a drain waits for the last words to be sent. */
    private static final long DRAIN_END_MILLIS = 1000;

    private static final long RETRY_MILLIS = 200;

    private final Vertx vertx;
    private final Context context;
    private final EventLog log;
    private final EventRing ring;
    private final EventRelay relay;
    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final Settings.Stream settings;
    private final int connectionsMax;
    private final List<Subscriber> subscribers = new ArrayList<>();

    private long heartbeats = -1;
    private int turnLeft;
    private boolean waking;
    private boolean news;
    private boolean draining;

    /**
     * To be made on the event loop that serves the streams.
     *
     * @param nanos elapsed time
     * @param loops how many event loops share {@code stream.connections-max}
     */
    public StreamHub(
            Vertx vertx,
            RedisLink link,
            RandomGenerator random,
            LongSupplier nanos,
            Settings.Stream settings,
            int loops) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.random = random;
        this.nanos = nanos;
        this.settings = settings;
        this.connectionsMax = Math.max(1, settings.connectionsMax() / loops);
        this.log = new EventLog(link, random, settings);
        this.ring = new EventRing(settings.ringEvents());
        this.relay = new EventRelay(vertx, link, log, ring, this::wake);
    }

    /** Completes when streams can be opened. Reads the log until it is there. */
    public Future<Void> start() {
        long every = Math.max(10, settings.heartbeat().toMillis() / 8);
        heartbeats = vertx.setPeriodic(every, tick -> beat());
        return relay.start();
    }

    /** How many streams are open. */
    public int connections() {
        return subscribers.size();
    }

    /** Where the log stands as far as this event loop knows, a moment old. */
    public LogState known() {
        return relay.known();
    }

    /** Whether all that comes after {@code seq} is at hand without asking Redis. */
    boolean inMemory(long seq) {
        return seq >= ring.first() - 1;
    }

    /** Whether another stream can be opened. */
    boolean hasRoom() {
        return !draining && subscribers.size() < connectionsMax;
    }

    /** Opens a stream: the response's head is set, nothing of its body is written yet. */
    Subscriber open(String name, HttpServerResponse response, StreamFilter filter, Dialect dialect, Resume start) {
        Subscriber subscriber = new Subscriber(this, name, response, filter, dialect);
        subscriber.index = subscribers.size();
        subscribers.add(subscriber);
        LogState known = known();
        String conn = String.format("%016x", random.nextLong());
        long tip = Math.max(known.tip(), start.after());
        subscriber.begin(
                new Hello(name, conn, start.epoch(), tip, known.floor(), start.resumed(), start.after() + 1), start);
        return subscriber;
    }

    /** Ends all streams, telling each to come back, and refuses new ones. Completes when all have been told, or could not be. */
    public Future<Void> drain() {
        draining = true;
        Promise<Void> done = Promise.promise();
        drainStep(done, new ArrayList<>());
        return done.future();
    }

    /** Stops listening to the log; {@link #drain} comes first. */
    public Future<Void> close() {
        vertx.cancelTimer(heartbeats);
        return relay.close();
    }

    EventLog log() {
        return log;
    }

    EventRing ring() {
        return ring;
    }

    /** Lowest seq from which the log is whole, as far as is known here. */
    long floor() {
        return relay.known().floor();
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** When a client should come back: spread, so that they do not come together, and longer when many have to. */
    long retryMillis(Disconnect why) {
        return why.crowded() ? random.nextLong(1_000, 20_000) : random.nextLong(500, 10_000);
    }

    /** Serves a stream again when the others have had their turn. */
    void later(Subscriber subscriber) {
        context.runOnContext(turn -> subscriber.pump());
    }

    /** Serves a stream again after a pause: what it needed could not be read. */
    void retry(Subscriber subscriber) {
        vertx.setTimer(RETRY_MILLIS, later -> subscriber.pump());
    }

    /** The stream has ended or its client is gone. Doing it twice is harmless. */
    void remove(Subscriber subscriber) {
        subscriber.forget();
        int index = subscriber.index;
        if (index >= subscribers.size() || subscribers.get(index) != subscriber) {
            return;
        }
        Subscriber last = subscribers.remove(subscribers.size() - 1);
        if (last != subscriber) {
            subscribers.set(index, last);
            last.index = index;
        }
    }

    /** What has come in one read of the socket is served in one go. */
    private void wake() {
        news = true;
        if (!waking) {
            waking = true;
            context.runOnContext(turn -> serve());
        }
    }

    /** Goes from the end to the front: whoever {@link #remove} moves forward has been served already. */
    private void serve() {
        if (news && turnLeft == 0) {
            news = false;
            turnLeft = subscribers.size();
        }
        int until = Math.max(0, turnLeft - TURN_STREAMS);
        for (int i = Math.min(turnLeft, subscribers.size()) - 1; i >= until; i--) {
            // Whoever ends inside takes only itself out.
            if (i < subscribers.size()) {
                subscribers.get(i).pump();
            }
        }
        turnLeft = until;
        if (turnLeft > 0 || news) {
            context.runOnContext(turn -> serve());
        } else {
            waking = false;
        }
    }

    private void beat() {
        long now = nanos();
        long idleMax = settings.heartbeat().toNanos();
        for (int i = subscribers.size() - 1; i >= 0; i--) {
            if (i < subscribers.size()) {
                subscribers.get(i).beat(now, idleMax);
            }
        }
    }

    private void drainStep(Promise<Void> done, List<Future<Void>> told) {
        for (int n = 0; n < DRAIN_STREAMS && !subscribers.isEmpty(); n++) {
            Subscriber last = subscribers.get(subscribers.size() - 1);
            told.add(last.end(Disconnect.SHUTDOWN).otherwiseEmpty());
        }
        if (!subscribers.isEmpty()) {
            vertx.setTimer(DRAIN_PAUSE_MILLIS, next -> drainStep(done, told));
            return;
        }
        Future.join(told).timeout(DRAIN_END_MILLIS, TimeUnit.MILLISECONDS).onComplete(ended -> done.complete());
    }
}
