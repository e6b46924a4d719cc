package io.fanfare.stream.session;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogState;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.filter.SubscriberIndex;
import io.fanfare.stream.relay.EventRelay;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.relay.ReplayBudget;
import io.fanfare.stream.relay.ReplayPages;
import io.fanfare.stream.relay.StreamCounters;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * All open streams of one event loop and what they live from: the ring and the relay that fills it. Wakes the streams
 * when there is news, keeps silent ones open, and ends them all when the process goes down. Confined to the event loop
 * on which it is started.
 */
public final class StreamHub {
    /** Streams served in one turn of the event loop; the next turn goes on, so that a crowd cannot hold it up. */
    private static final int TURN_STREAMS = 200;

    /**
     * A pass over the streams that takes long begins again only when so many times its length have gone by since it
     * began, but after so many nanoseconds at most: what comes meanwhile goes out in one write for each stream. Short
     * passes follow each other at once.
     */
    private static final long TICKS_PER_PASS = 6;

    private static final long TICK_NANOS_MAX = 8_000_000;

    /**
     * How long one turn may ask filters; the next goes on, so that no texts and phrases hold the loop. What one event
     * takes is bounded by how long texts and how many phrases may be, since finding takes time in proportion to both.
     */
    private static final long TURN_NANOS_MAX = 8_000_000;

    /** Shorter rests are none: timers count milliseconds. */
    private static final long REST_NANOS_MIN = 500_000;

    /**
     * A drain goes in steps, so that those who come back do not come all at once; a few streams need not wait for it.
     */
    private static final long DRAIN_STEP_MILLIS = 20;

    private static final int DRAIN_STREAMS_MIN = 10;

    /** Those whom a drain sends away come back elsewhere within so long, or later: about a thousand a second. */
    private static final long DRAIN_RETRY_MILLIS_MIN = 1_000;

    private static final long DRAIN_RETRY_MILLIS_MAX = 20_000;

    /** How long a drain waits for the last words to be sent. */
    private static final long DRAIN_END_MILLIS = 1000;

    private static final long RETRY_MILLIS = 200;

    /**
     * Streams that have more to send than fits into one go, and that go on in one turn: each with 64 KiB at most, after
     * those who wait for what has just happened.
     */
    private static final int TURN_BEHIND = 16;

    private final Vertx vertx;
    private final Context context;
    private final EventLog log;
    private final ReplayPages replay;
    private final EventRing ring;
    private final EventRelay relay;
    private final HiddenAccountsCache hiddenAccountsCache;
    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final Settings.Stream settings;
    private final int connectionsMax;
    private final StreamCounters counters = new StreamCounters();
    private final SubscriberIndex<Subscriber> subscriberIndex;
    private final Failures failures;

    /** Streams that look at every event, and those that the index calls. */
    private final List<Subscriber> scanning = new ArrayList<>();

    private final Set<Subscriber> indexed = new HashSet<>();

    /** Open sockets: they stay open without a stream, and have to go all the same. */
    private final Set<Socket> sockets = new LinkedHashSet<>();

    /** Called streams that have something to send. */
    private final ArrayDeque<Subscriber> woken = new ArrayDeque<>();

    /** Streams that go on when all others have been served. */
    private final ArrayDeque<Subscriber> replaying = new ArrayDeque<>();

    private String evaluatedEpoch = "";

    /** Seq up to which blocks and deletes have been heard, and up to which the index has been called. */
    private long heard;

    private long evaluated;

    /** Whether a turn will go on calling the index. */
    private boolean calling;

    private final ChunkEncoder chunks = new ChunkEncoder();
    private final Heartbeats heartbeats;

    private int turnLeft;
    private boolean waking;
    private boolean passing;
    private long passBeganNanos;
    private long restUntilNanos;
    private boolean news;
    private boolean draining;
    private long drainRetryMillis = DRAIN_RETRY_MILLIS_MIN;

    /** What may carry streams, and lasts longer than each of them. */
    public interface Socket {
        /** Closes it, since the server goes down. Completes when its client has been told, or could not be. */
        Future<Void> goAway();
    }

    /**
     * To be made on the event loop that serves the streams.
     *
     * @param nanos elapsed time, for any thread
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
        Documents documents = new Documents(random.nextLong());
        this.subscriberIndex = new SubscriberIndex<>(documents);
        this.failures = documents.failures();
        this.replay = new ReplayPages(log, documents, counters, this::wake);
        this.heartbeats = new Heartbeats(vertx, nanos, settings.heartbeat());
        this.ring = new EventRing(settings.ringEvents(), settings.ringBytes(), documents);
        this.hiddenAccountsCache = new HiddenAccountsCache(new ViewerRelationshipsReader(link), this::retry);
        String name = String.format("%016x", random.nextLong());
        this.relay = new EventRelay(vertx, link, log, ring, name, nanos, settings.lagMax(), this::advanced, failures);
    }

    /** Completes when streams can be opened. Reads the log until it is there. */
    public Future<Void> start() {
        heartbeats.start();
        return relay.start();
    }

    /** How many streams are open. */
    public int connections() {
        return scanning.size() + indexed.size();
    }

    /** Where the log stands as far as this event loop knows, a moment old. */
    public LogState known() {
        return relay.known();
    }

    /** Whether all that comes after {@code seq} is at hand without asking Redis. */
    boolean inMemory(long seq) {
        return seq >= ring.first() - 1;
    }

    /** Throws a {@link Refusal} when no other stream can be opened. */
    public void makeSureOfRoom() {
        if (draining || connections() >= connectionsMax) {
            counters.turnedAway += draining ? 0 : 1;
            throw new Refusal(
                    Refusal.Reason.OVERLOADED, "No more streams can be opened here at the moment: try again later.");
        }
    }

    /** Opens a stream: nothing is written yet. */
    public Subscriber open(
            String name,
            StreamSink sink,
            StreamFilter filter,
            Dialect dialect,
            StreamOptions options,
            StartPosition start) {
        Subscriber subscriber = new Subscriber(this, name, sink, filter, dialect, options);
        enter(subscriber);
        heartbeats.add(subscriber);
        counters.opened(name, dialect);
        String conn = String.format("%016x", random.nextLong());
        // What is known of the log may be ahead of what is told here: who comes while that is made up for must not take
        // deletes for told that are not.
        boolean sameEpoch = ring.epoch().equals(start.epoch());
        long tip = sameEpoch ? Math.max(ring.tip(), start.after()) : start.after();
        long floor = sameEpoch ? start.floor(known()) : start.after() + 1;
        Hello hello = new Hello(
                name, conn, start.epoch(), tip, floor, start.resumed(), start.after() + 1, start.gap() != null);
        subscriber.begin(hello, start);
        return subscriber;
    }

    /** The socket is told when the server goes down, unless it is {@link #remove}d before. */
    public void add(Socket socket) {
        sockets.add(socket);
        if (draining) {
            socket.goAway().onFailure(gone -> {});
        }
    }

    public void remove(Socket socket) {
        sockets.remove(socket);
    }

    /**
     * Ends all streams and sockets, telling each to come back, and refuses new ones. Completes when all have been told,
     * or could not be.
     */
    public Future<Void> drain() {
        draining = true;
        int crowd = connections() + sockets.size();
        long steps = Math.max(1, settings.drainTimeout().toMillis() / DRAIN_STEP_MILLIS);
        int perStep = (int) Math.max(DRAIN_STREAMS_MIN, crowd / steps + 1);
        drainRetryMillis = Math.max(DRAIN_RETRY_MILLIS_MIN, Math.min(crowd, DRAIN_RETRY_MILLIS_MAX));
        Promise<Void> done = Promise.promise();
        drainStep(done, perStep, new ArrayList<>());
        return done.future();
    }

    /** Stops listening to the log; {@link #drain} comes first. */
    public Future<Void> close() {
        heartbeats.close();
        chunks.close();
        return relay.close();
    }

    /** Why events do not come in time, as a sentence; empty while they do. For any thread. */
    public Optional<String> trouble() {
        return relay.trouble();
    }

    /** For a stream whose socket has taken so many bytes, and now lets some wait. */
    SlowReaderDetector slowReaderDetector(long nanos, long taken) {
        return new SlowReaderDetector(settings, nanos, taken);
    }

    /** How long a reader may give no sign of life when one is due. */
    public long deadAfterNanos() {
        return settings.deadAfter().toNanos();
    }

    /** How far what is told here is behind what is published. For any thread. */
    public long lagNanos() {
        return relay.lagNanos();
    }

    /** For any thread, which sees it as it was a moment ago. */
    public StreamCounters counters() {
        return counters;
    }

    /** All open streams. For any thread. */
    public Future<List<StreamRow>> rows() {
        return EventLoops.call(
                vertx, context, () -> everybody().stream().map(Subscriber::row).toList());
    }

    /** For any thread, as {@link #counters}. */
    public Failures failures() {
        return failures;
    }

    /** Runs a task that must not end what comes behind it. */
    public void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Of.TURN, e);
        }
    }

    /** Streams that are called instead of looking at all events. For any thread, as {@link #counters}. */
    public int indexed() {
        return indexed.size();
    }

    /** For a stream that is to be read for. */
    ReplayBudget replayBudget() {
        return new ReplayBudget(settings.replayRate(), nanos());
    }

    ReplayPages replay() {
        return replay;
    }

    EventLog log() {
        return log;
    }

    public ChunkEncoder chunks() {
        return chunks;
    }

    public Heartbeats heartbeats() {
        return heartbeats;
    }

    public HiddenAccountsCache hiddenAccountsCache() {
        return hiddenAccountsCache;
    }

    public EventRing ring() {
        return ring;
    }

    /** Lowest seq from which the log is whole, as far as is known here. */
    long floor() {
        return relay.known().floor();
    }

    /** How many events the log keeps, about: one that has lost none so far has room for more. */
    long window() {
        LogState log = known();
        long size = log.tip() - log.floor() + 1;
        return Math.max(log.floor() > 1 ? 1 : settings.logEvents(), size);
    }

    public long nanos() {
        return nanos.getAsLong();
    }

    /** When a client should come back: spread, so that they do not come together, and longer when many have to. */
    public long retryMillis(Disconnect why) {
        if (why == Disconnect.SHUTDOWN) {
            return random.nextLong(500, 500 + drainRetryMillis);
        }
        return why.crowded() ? random.nextLong(1_000, 20_000) : random.nextLong(500, 10_000);
    }

    /** Serves a stream again when the others have had their turn. */
    void later(Subscriber subscriber) {
        if (!subscriber.replaying) {
            subscriber.replaying = true;
            replaying.add(subscriber);
            wake();
        }
    }

    /** Does something after a while. */
    public void after(long millis, Runnable then) {
        vertx.setTimer(millis, over -> guarded(then));
    }

    /** Tries something again after a pause: what it needed could not be read. */
    public void retry(Runnable then) {
        after(RETRY_MILLIS, then);
    }

    /** The stream has ended or its client is gone. Doing it twice is harmless. */
    public void remove(Subscriber subscriber) {
        withdraw(subscriber);
        subscriber.forget();
    }

    /** Seq up to which the index has been called. */
    public long evaluated() {
        return evaluated;
    }

    /** From the next event on the index calls the stream; false when it wants too much for that. */
    boolean join(Subscriber subscriber, StreamFilter filter) {
        // Numbers of another epoch mean nothing here; the ring will be heard of in a moment.
        if (!ring.epoch().equals(evaluatedEpoch) || !filter.join(subscriberIndex, subscriber)) {
            return false;
        }
        withdraw(subscriber);
        indexed.add(subscriber);
        counters.joins++;
        return true;
    }

    /** Undoes {@link #join}: the stream looks for itself again, if it has not ended. */
    void leave(Subscriber subscriber, StreamFilter filter) {
        indexed.remove(subscriber);
        if (!subscriber.ended()) {
            enter(subscriber);
        }
        filter.leave(subscriberIndex, subscriber);
    }

    private void enter(Subscriber subscriber) {
        subscriber.index = scanning.size();
        scanning.add(subscriber);
    }

    private void withdraw(Subscriber subscriber) {
        int index = subscriber.index;
        if (index >= scanning.size() || scanning.get(index) != subscriber) {
            return;
        }
        Subscriber last = scanning.remove(scanning.size() - 1);
        if (last != subscriber) {
            scanning.set(index, last);
            last.index = index;
        }
    }

    /** See {@link #hear}. What fails in it is not to stop the relay. */
    private void advanced() {
        guarded(this::hear);
    }

    /**
     * The ring may have news: calls whom it concerns, and serves everybody else in the next turn. What has come in one
     * read of the socket is served in one go.
     */
    private void hear() {
        // The relay reads on in the log now and then, and mostly finds nothing: nobody is to be looked at for that.
        boolean fresh = heard < ring.tip();
        if (!ring.epoch().equals(evaluatedEpoch) || evaluated + 1 < ring.first()) {
            // What has been skipped cannot be called out; each goes on from where it stands.
            List.copyOf(indexed).forEach(Subscriber::lookAgain);
            evaluatedEpoch = ring.epoch();
            evaluated = ring.tip();
            heard = evaluated;
            fresh = true;
            hiddenAccountsCache.readAgain();
            replay.forget();
        }
        while (heard < ring.tip()) {
            StreamEvent event = ring.event(++heard);
            if (event != null) {
                hear(event);
            }
        }
        if (!calling) {
            callIndexed();
        }
        news |= fresh && !scanning.isEmpty();
        wake();
    }

    /** Where a change cannot be taken in, all is read again. */
    private void hear(StreamEvent event) {
        try {
            hiddenAccountsCache.hear(event.event());
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Of.EVENT, e);
            hiddenAccountsCache.readAgain();
        }
        try {
            replay.hear(event.event());
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Of.EVENT, e);
            replay.forget();
        }
    }

    /**
     * Calls out what it has not heard of, for one turn's time. A message of Redis may bring many events, and each of
     * these many texts.
     */
    private void callIndexed() {
        long began = nanos();
        while (evaluated < ring.tip()) {
            StreamEvent event = ring.event(evaluated + 1);
            if (event != null && !indexed.isEmpty()) {
                callOut(event);
            }
            evaluated++;
            if (event != null && !indexed.isEmpty()) {
                calling = isOver(began) && evaluated < ring.tip();
                if (calling) {
                    vertx.timer(1, TimeUnit.NANOSECONDS).onComplete(turn -> callOn());
                    return;
                }
            }
        }
    }

    /** When the index fails on an event that can be read, each stream looks at that event for itself. */
    private void callOut(StreamEvent event) {
        try {
            subscriberIndex.hear(event, subscriber -> subscriber.call(event));
        } catch (RuntimeException | StackOverflowError e) {
            if (!ring.dropUnreadable(event.logged().seq(), e)) {
                failures.add(Failures.Of.EVENT, e);
                List.copyOf(indexed).forEach(Subscriber::lookAgain);
            }
        }
    }

    /** Streams that have caught up meanwhile could not join, since the index had not. */
    private void callOn() {
        calling = false;
        advanced();
        news |= !calling && !scanning.isEmpty();
        wake();
    }

    private boolean isOver(long beganNanos) {
        return nanos() - beganNanos >= TURN_NANOS_MAX;
    }

    /** The stream has something to send. */
    void wake(Subscriber subscriber) {
        if (!subscriber.woken) {
            subscriber.woken = true;
            woken.add(subscriber);
            wake();
        }
    }

    private void wake() {
        if (!waking && (news || !woken.isEmpty() || !replaying.isEmpty() || replay.hasArrived())) {
            waking = true;
            rest();
        }
    }

    /** Goes on when enough time has passed since the last pass began. */
    private void rest() {
        long left = restUntilNanos - nanos();
        if (left < REST_NANOS_MIN) {
            nextTurn();
        } else {
            vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(left + REST_NANOS_MIN), rested -> serve());
        }
    }

    /**
     * Serves when the loop has looked at its sockets. A task that is handed to it at once does not wait for that: it
     * runs such tasks until none is left, for up to a second.
     */
    private void nextTurn() {
        vertx.timer(1, TimeUnit.NANOSECONDS).onComplete(turn -> serve());
    }

    /** See {@link #serveTurn}. One that fails is followed by the next one. */
    private void serve() {
        try {
            serveTurn();
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Of.TURN, e);
            vertx.setTimer(RETRY_MILLIS, again -> serve());
        }
    }

    /** Goes from the end to the front: whoever {@link #withdraw} moves forward has been served already. */
    private void serveTurn() {
        if (!passing) {
            passing = true;
            passBeganNanos = nanos();
        }
        long began = nanos();
        boolean over = false;
        for (int n = 0; n < TURN_STREAMS && !woken.isEmpty() && !over; n++) {
            Subscriber next = woken.poll();
            next.woken = false;
            next.pump();
            over = next.isFiltered() && isOver(began);
        }
        if (news && turnLeft == 0) {
            news = false;
            turnLeft = scanning.size();
        }
        int until = Math.max(0, turnLeft - TURN_STREAMS);
        turnLeft = Math.min(turnLeft, scanning.size());
        while (turnLeft > until && !over) {
            turnLeft--;
            // Whoever ends inside takes only itself out.
            if (turnLeft < scanning.size()) {
                Subscriber next = scanning.get(turnLeft);
                next.pump();
                over = next.isFiltered() && isOver(began);
            }
        }
        turnLeft = over ? turnLeft : until;
        // Those who come back during the turn wait for the next. One goes on in any case.
        int most = Math.min(TURN_BEHIND, replaying.size());
        for (int n = 0; n < most && (n == 0 || !over); n++) {
            Subscriber next = replaying.poll();
            next.replaying = false;
            next.pump();
            over |= next.isFiltered() && isOver(began);
        }
        replay.handOut(TURN_BEHIND, () -> isOver(began));
        if (turnLeft > 0 || !woken.isEmpty() || !replaying.isEmpty() || replay.hasArrived()) {
            nextTurn();
            return;
        }
        passing = false;
        long took = nanos() - passBeganNanos;
        restUntilNanos = passBeganNanos + Math.min(TICK_NANOS_MAX, TICKS_PER_PASS * took);
        if (news) {
            rest();
        } else {
            waking = false;
        }
    }

    /** As they are now: who is told something may leave. */
    private List<Subscriber> everybody() {
        List<Subscriber> everybody = new ArrayList<>(scanning);
        everybody.addAll(indexed);
        return everybody;
    }

    private void drainStep(Promise<Void> done, int streams, List<Future<Void>> told) {
        for (Subscriber subscriber : first(everybody(), streams)) {
            told.add(subscriber.end(Disconnect.SHUTDOWN).otherwiseEmpty());
        }
        if (connections() == 0) {
            for (Socket socket : first(List.copyOf(sockets), streams)) {
                told.add(socket.goAway().otherwiseEmpty());
            }
        }
        if (connections() + sockets.size() > 0) {
            vertx.setTimer(DRAIN_STEP_MILLIS, next -> drainStep(done, streams, told));
            return;
        }
        Future.join(told).timeout(DRAIN_END_MILLIS, TimeUnit.MILLISECONDS).onComplete(ended -> done.complete());
    }

    private static <T> List<T> first(List<T> all, int most) {
        return all.subList(0, Math.min(all.size(), most));
    }
}
