package io.fanfare.stream.session;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogState;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.RedisLink;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.FilterMarks;
import io.fanfare.stream.filter.MarkingFilter;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.relay.EventRelay;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.relay.StreamCounters;
import io.fanfare.stream.wire.BlockDeflater;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The open streams of one event loop: puts together what they share, opens and counts them, and ends them all when the
 * process goes down. The {@link ServeLoop} serves them. Confined to the event loop on which it is made.
 */
public final class StreamHub {
    /** The stream that says when the viewer's filters have changed. */
    private static final String USER = "user";

    private final Vertx vertx;
    private final Context context;
    private final EventRelay relay;
    private final ServeLoop serveLoop;
    private final LoopParts loop;
    private final HiddenAccountsCache hiddenAccountsCache;
    private final FilterMarksCache filterMarks;
    private final VoteFeed votes;
    private final RandomGenerator random;
    private final int connectionsMax;
    private final ChunkEncoder chunks = new ChunkEncoder();

    /** The chunks of compressed streams, which would else take turns with the others in one encoder. */
    private final ChunkEncoder compressedChunks = new ChunkEncoder();

    /** Open sockets: they stay open without a stream, and have to go all the same. */
    private final Set<Socket> sockets = new LinkedHashSet<>();

    private boolean draining;

    /** A connection that may carry streams, and outlives each of them. */
    public interface Socket extends Heartbeats.Pulse {
        /** Closes it, since the server goes down. Completes when its client has been notified, or could not be. */
        Future<Void> goAway();
    }

    /**
     * To be made on the event loop that serves the streams.
     *
     * @param statuses of the same link
     * @param nanos elapsed time, for any thread
     * @param clock says which mutes have ended and which filters have expired
     * @param loops how many event loops share {@code stream.connections-max}
     */
    public StreamHub(
            Vertx vertx,
            RedisLink link,
            Statuses statuses,
            RandomGenerator random,
            LongSupplier nanos,
            InstantSource clock,
            Settings.Stream settings,
            int loops) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.random = random;
        this.connectionsMax = Math.max(1, settings.connectionsMax() / loops);
        EventLog log = new EventLog(link, random, settings);
        Documents documents = new Documents(random.nextLong());
        Failures failures = documents.failures();
        LoopTimers timers = new LoopTimers(vertx, nanos, failures);
        StreamCounters counters = new StreamCounters();
        EventRing ring = new EventRing(settings.ringEvents(), settings.ringBytes(), documents);
        this.hiddenAccountsCache =
                new HiddenAccountsCache(new ViewerRelationshipsReader(link, clock), timers::retry, clock);
        this.votes = new VoteFeed(timers, statuses, documents);
        this.filterMarks = new FilterMarksCache(link, timers::retry, clock);
        this.serveLoop = new ServeLoop(timers, log, ring, documents, hiddenAccountsCache, filterMarks, votes, counters);
        String name = String.format("%016x", random.nextLong());
        this.relay = new EventRelay(
                vertx, link, log, ring, name, nanos, settings.lagMax(), serveLoop::advanced, votes::receive, failures);
        this.loop = new LoopParts(
                new LogView(log, ring, relay, serveLoop.pages(), settings),
                timers,
                counters,
                new BlockDeflater(),
                failures,
                new Heartbeats(vertx, nanos, settings.heartbeat()),
                new ReconnectDelay(random),
                settings);
    }

    /** Completes when streams can be opened. Reads the log until it is there. */
    public Future<Void> start() {
        return relay.start();
    }

    /** How many streams are open. */
    public int connections() {
        return serveLoop.size();
    }

    /** The state of the log as this event loop knows it, a moment old. */
    public LogState known() {
        return relay.known();
    }

    /** Throws a {@link Refusal} when no other stream can be opened. */
    public void makeSureOfRoom() {
        if (draining || connections() >= connectionsMax) {
            loop.counters().turnedAway += draining ? 0 : 1;
            throw new Refusal(
                    Refusal.Reason.OVERLOADED, "No more streams can be opened here at the moment: try again later.");
        }
    }

    /** Opens a stream: its greeting goes to the sink at once. */
    public Subscriber open(
            String name,
            StreamSink sink,
            StreamFilter filter,
            Dialect dialect,
            StreamOptions options,
            StartPosition start) {
        Subscriber subscriber = new Subscriber(serveLoop, loop, name, sink, filter, dialect, options);
        serveLoop.add(subscriber);
        loop.heartbeats().add(subscriber);
        loop.counters().opened(name, dialect);
        if (options.votes()) {
            votes.add(subscriber);
        }
        if (filter instanceof MarkingFilter marking && name.equals(USER)) {
            notifyOfChanges(subscriber, marking.marks());
        }
        subscriber.begin(hello(name, start), start);
        return subscriber;
    }

    private static void notifyOfChanges(Subscriber subscriber, FilterMarks marks) {
        Runnable changed = subscriber::filtersChanged;
        marks.whenChanged(changed);
        subscriber.whenEnded(() -> marks.forget(changed));
    }

    /**
     * Starts at the events that were sent here. The known state of the log may be ahead: a client that comes while the
     * difference is caught up must not take deletes for sent that are not.
     */
    private Hello hello(String name, StartPosition start) {
        String conn = String.format("%016x", random.nextLong());
        EventRing ring = loop.log().ring();
        boolean sameEpoch = ring.epoch().equals(start.epoch());
        long tip = sameEpoch ? Math.max(ring.tip(), start.after()) : start.after();
        long floor = sameEpoch ? start.floor(known()) : start.after() + 1;
        return new Hello(
                name, conn, start.epoch(), tip, floor, start.resumed(), start.after() + 1, start.gap() != null);
    }

    /** Keeps the socket open while it is silent, and closes it when the server goes down. */
    public void add(Socket socket) {
        loop.heartbeats().add(socket);
        sockets.add(socket);
        if (draining) {
            socket.goAway().onFailure(gone -> {});
        }
    }

    public void remove(Socket socket) {
        sockets.remove(socket);
    }

    /**
     * Ends all streams and sockets with the advice to reconnect, and refuses new ones. Completes when all clients have
     * been notified, or could not be.
     */
    public Future<Void> drain() {
        draining = true;
        loop.delay().drain(connections() + sockets.size());
        return new DrainSequence(vertx, loop.settings().drainTimeout(), serveLoop::streams, () -> List.copyOf(sockets))
                .run();
    }

    /** Stops listening to the log; {@link #drain} comes first. */
    public Future<Void> close() {
        loop.heartbeats().close();
        chunks.close();
        compressedChunks.close();
        loop.deflater().close();
        return relay.close();
    }

    /** Why events do not come in time, as a sentence; empty while they do. For any thread. */
    public Optional<String> trouble() {
        return relay.trouble();
    }

    /** How far what is sent here is behind what is published. For any thread. */
    public long lagNanos() {
        return relay.lagNanos();
    }

    /** For any thread, which sees it as it was a moment ago. */
    public StreamCounters counters() {
        return loop.counters();
    }

    /** For any thread, as {@link #counters}. */
    public Failures failures() {
        return loop.failures();
    }

    /** All open streams. For any thread. */
    public Future<List<StreamRow>> rows() {
        return EventLoops.call(vertx, context, () -> serveLoop.streams().stream()
                .map(Subscriber::row)
                .toList());
    }

    /** Ends the stream of this connection, if it is here; whether it was. For any thread. */
    public Future<Boolean> end(String conn) {
        return EventLoops.call(vertx, context, () -> {
            Optional<Subscriber> found = serveLoop.streams().stream()
                    .filter(stream -> stream.row().conn().equals(conn))
                    .findFirst();
            found.ifPresent(stream -> stream.evict(Disconnect.CONTROL_REQUEST));
            return found.isPresent();
        });
    }

    /** Streams that are called instead of looking at all events. For any thread, as {@link #counters}. */
    public int indexed() {
        return serveLoop.indexed();
    }

    /** Seq up to which the index has called. */
    public long evaluated() {
        return serveLoop.evaluated();
    }

    public LogView log() {
        return loop.log();
    }

    public LoopTimers timers() {
        return loop.timers();
    }

    /** The sink of a stream over HTTP, of which the head is set. */
    public StreamSink sink(HttpServerRequest request, boolean compressed) {
        return compressed ? new GzipSink(request, compressedChunks) : new ResponseSink(request, chunks);
    }

    public HiddenAccountsCache hiddenAccountsCache() {
        return hiddenAccountsCache;
    }

    public FilterMarksCache filterMarks() {
        return filterMarks;
    }

    /** When a client that is sent away for this reason should come back. */
    public long retryMillis(Disconnect why) {
        return loop.delay().millis(why);
    }
}
