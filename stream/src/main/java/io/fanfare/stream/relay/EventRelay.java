package io.fanfare.stream.relay;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogPage;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.PublishedEvents;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.RedisLink;
import io.fanfare.stream.filter.Failures;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the event log into the ring, in order and without a hole. Pub/sub is only the fast way: each message is
 * checked against the sequence, and whenever something may be missing - a number, the subscription, a second of silence
 * - the log itself is read from the last event known. Confined to one event loop.
 */
public final class EventRelay implements RedisLink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(EventRelay.class);

    /** Events read from the log in one go. */
    private static final int PAGE_EVENTS = 500;

    /** Messages kept while the log is being read; beyond them the log is read once more. */
    private static final int HELD_MAX = 4096;

    /**
     * How often the log is looked at although all seems well: bounds the damage of a connection that is dead without a
     * sign.
     */
    private static final long WATCH_MILLIS = 1000;

    private static final long RETRY_MILLIS = 200;

    /** The start time of a read of the log while there is none. */
    private static final long NEVER = Long.MAX_VALUE;

    private final Vertx vertx;
    private final RedisLink link;
    private final EventLog log;
    private final EventRing ring;
    private final LongSupplier nanos;
    private final RelayWatchdog watchdog;
    private final long lagNanosMax;
    private final Runnable advanced;
    private final Consumer<String> votes;
    private final Failures failures;
    private final Promise<Void> started = Promise.promise();
    private final PublishedEvents published = new PublishedEvents();
    private final ArrayDeque<LoggedEvent> held = new ArrayDeque<>();
    private final FormerEpochs formerEpochs = new FormerEpochs();

    private RedisLink.Subscription subscription;
    private long watch = -1;
    private long floor = 1;
    private long inherited;
    private long receivedSeq;
    private boolean reading;
    private boolean again;
    private boolean closed;
    private boolean lost;

    // Since when the log is being read, in elapsed time. Written here, read by the process's probes.
    private volatile long readingSince = NEVER;

    /**
     * @param name one that no other relay has
     * @param nanos elapsed time, for any thread
     * @param lagMax {@code stream.lag-max}
     * @param advanced called after the ring has changed; never throws
     * @param votes takes published votes; never throws
     * @param failures of the event loop
     */
    public EventRelay(
            Vertx vertx,
            RedisLink link,
            EventLog log,
            EventRing ring,
            String name,
            LongSupplier nanos,
            Duration lagMax,
            Runnable advanced,
            Consumer<String> votes,
            Failures failures) {
        this.vertx = vertx;
        this.link = link;
        this.log = log;
        this.ring = ring;
        this.nanos = nanos;
        this.watchdog = new RelayWatchdog(vertx, link, name, nanos, lagMax, this::renew);
        this.lagNanosMax = lagMax.toNanos();
        this.advanced = advanced;
        this.votes = votes;
        this.failures = failures;
    }

    /** Completes when the ring has caught up with the log and receives new events. */
    public Future<Void> start() {
        subscription = EventLog.subscribe(link, watchdog.channel, this);
        watchdog.start();
        watch = Ticks.every(vertx, WATCH_MILLIS, this::watch);
        return started.future();
    }

    /** Also of one that was never started. */
    public Future<Void> close() {
        closed = true;
        vertx.cancelTimer(watch);
        watchdog.close();
        return subscription == null ? Future.succeededFuture() : subscription.close();
    }

    /** The state of the log as known here, a moment old. */
    public LogState known() {
        return new LogState(ring.epoch(), ring.tip(), Math.min(floor, ring.tip() + 1), Math.min(inherited, ring.tip()));
    }

    /** The relation of the known state to the epochs before it. */
    public FormerEpochs formerEpochs() {
        return formerEpochs;
    }

    /** The lag of the sent events behind the published ones. For any thread. */
    public long lagNanos() {
        long reading = readingSince;
        return Math.max(watchdog.lagNanos(), reading == NEVER ? 0 : nanos.getAsLong() - reading);
    }

    /** Why events do not come in time, as a sentence; empty while they do. For any thread. */
    public Optional<String> trouble() {
        long lag = lagNanos();
        return lag <= lagNanosMax
                ? Optional.empty()
                : Optional.of("The event log is received " + TimeUnit.NANOSECONDS.toMillis(lag)
                        + " ms late, more than stream.lag-max allows: streams stand still until Redis answers again.");
    }

    private void renew() {
        LOG.warn(
                "relay receives nothing that is published, subscribing again epoch={} tip={}",
                ring.epoch(),
                ring.tip());
        subscription.renew("nothing is received");
    }

    @Override
    public void subscribed() {
        watchdog.renewed();
        // No event published before this moment was received here.
        receivedSeq = 0;
        published.begin();
        readOn();
    }

    @Override
    public void message(String channel, String payload) {
        try {
            if (channel.equals(watchdog.channel)) {
                watchdog.received(payload);
            } else if (channel.equals(Keys.VOTES_CHANNEL)) {
                votes.accept(payload);
            } else {
                receive(payload);
            }
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.TURN, e);
            // What was not taken in comes from the log.
            readOn();
        }
    }

    private void receive(String payload) {
        try {
            published.receive(payload).forEach(this::event);
        } catch (IllegalArgumentException e) {
            LOG.warn("what was published is unreadable, reading the log epoch={} tip={}", ring.epoch(), ring.tip());
            readOn();
        }
    }

    private void event(LoggedEvent event) {
        boolean backwards = event.epoch().equals(ring.epoch()) && event.seq() <= receivedSeq;
        receivedSeq = event.seq();
        if (backwards) {
            // Cannot be on one connection, unless numbers are given out again; the log decides.
            readOn();
        } else if (reading) {
            hold(event);
        } else {
            take(event);
        }
    }

    @Override
    public void lost() {
        if (!lost && !closed) {
            lost = true;
            LOG.warn("relay lost its subscription epoch={} tip={}", ring.epoch(), ring.tip());
        }
    }

    private void take(LoggedEvent event) {
        boolean next = event.epoch().equals(ring.epoch()) && event.seq() == ring.tip() + 1;
        boolean had = event.epoch().equals(ring.epoch()) && event.seq() <= ring.tip();
        if (next) {
            ring.add(event);
            advanced.run();
        } else if (!had) {
            // The log has this one too, and whatever is missing before it.
            readOn();
        }
    }

    private void hold(LoggedEvent event) {
        if (held.size() == HELD_MAX) {
            held.clear();
            again = true;
        } else {
            held.add(event);
        }
    }

    private void watch() {
        if (!reading && !ring.epoch().isEmpty()) {
            readOn();
        }
    }

    private void readOn() {
        if (reading) {
            again = true;
            return;
        }
        reading = true;
        readingSince = nanos.getAsLong();
        read();
    }

    /**
     * Reads from the newest event known on, that one included: it must still be the same, else Redis has gone back in
     * time.
     */
    private void read() {
        again = false;
        boolean first = ring.epoch().isEmpty();
        Future<LogPage> page = first
                ? log.state().map(state -> new LogPage(state, List.of(), state.tip(), true))
                : log.read(Math.max(ring.tip() - 1, 0), PAGE_EVENTS);
        page.compose(this::checked)
                .compose(this::inEpoch)
                .onComplete(this::take, unread -> vertx.setTimer(RETRY_MILLIS, later -> retry()));
    }

    private void retry() {
        if (!closed) {
            read();
        }
    }

    /**
     * When seqs have been given out twice, no cursor of this epoch means anything: ends the epoch, and answers what the
     * log says then.
     */
    private Future<LogPage> checked(LogPage page) {
        boolean sameEpoch = page.state().epoch().equals(ring.epoch());
        if (!sameEpoch || (page.state().tip() >= ring.tip() && !contradicts(page))) {
            return Future.succeededFuture(page);
        }
        LOG.error(
                "redis went back in time: event log ends its epoch epoch={} known={} tip={}",
                ring.epoch(),
                ring.tip(),
                page.state().tip());
        return log.renewEpoch(ring.epoch()).compose(begun -> log.read(ring.tip(), PAGE_EVENTS));
    }

    private boolean contradicts(LogPage page) {
        LoggedEvent known = ring.newest();
        if (known == null || page.events().isEmpty() || page.events().get(0).seq() != known.seq()) {
            return false;
        }
        return !page.events().get(0).isSameAs(known);
    }

    /** A page of another epoch leads the ring there: the events that follow are read next. */
    private Future<LogPage> inEpoch(LogPage page) {
        LogState state = page.state();
        if (ring.epoch().isEmpty() || state.epoch().equals(ring.epoch())) {
            return Future.succeededFuture(page);
        }
        return FormerEpochs.lastShared(log, ring, state).map(last -> {
            enterEpoch(state, last);
            return new LogPage(state, List.of(), ring.tip(), ring.tip() >= state.tip());
        });
    }

    private void enterEpoch(LogState state, OptionalLong last) {
        if (closed) {
            return;
        }
        LOG.warn(
                "event log restarted epoch={} before={} known={} shared={} tip={}",
                state.epoch(),
                ring.epoch(),
                ring.tip(),
                last.isPresent() ? last.getAsLong() : "unknown",
                state.tip());
        formerEpochs.ended(ring.epoch(), last);
        long first = last.orElse(Math.max(state.floor() - 1, state.inherited()));
        ring.restart(state.epoch(), Math.max(first, state.tip() - ring.eventsMax()));
    }

    private void take(LogPage page) {
        try {
            apply(page);
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.PAGE, e);
            skip(page.state());
        }
    }

    /** The ring goes on behind a page that it cannot take: streams read that part from the log, each for itself. */
    private void skip(LogState state) {
        reading = false;
        readingSince = NEVER;
        ring.restart(state.epoch(), state.tip());
        advanced.run();
        caughtUp();
    }

    private void apply(LogPage page) {
        if (closed) {
            return;
        }
        LogState state = page.state();
        floor = state.floor();
        inherited = state.inherited();
        if (ring.epoch().isEmpty()) {
            // The newest event is taken in: by that one the ring finds its place in the next epoch.
            ring.restart(state.epoch(), Math.max(state.floor(), state.tip()) - 1);
        } else if (state.floor() > ring.tip() + 1 || state.tip() - ring.tip() > ring.eventsMax()) {
            // Too far behind for the ring: connections read the older part from the log, which knows what is gone.
            ring.restart(state.epoch(), Math.max(state.floor() - 1, state.tip() - ring.eventsMax()));
        } else {
            addAll(page);
        }
        // Before anything is read again: a stream that comes meanwhile begins at the ring's present tip.
        advanced.run();
        if (ring.tip() < state.tip()) {
            read();
            return;
        }
        reading = false;
        readingSince = NEVER;
        caughtUp();
    }

    private void addAll(LogPage page) {
        for (LogPage.Skipped skipped : page.skipped()) {
            if (skipped.seq() > ring.tip()) {
                count(skipped);
            }
        }
        for (LoggedEvent event : page.events()) {
            if (event.seq() > ring.tip()) {
                ring.add(event);
            }
        }
        ring.skipTo(Math.max(ring.tip(), page.upTo()));
    }

    private void count(LogPage.Skipped skipped) {
        if (skipped.isOfUnknownKind()) {
            failures.unknownEvent();
        } else {
            failures.unreadableEvent();
            LOG.error("event unreadable seq={} reason={}", skipped.seq(), skipped.reason());
        }
    }

    private void caughtUp() {
        if (lost) {
            lost = false;
            LOG.info("relay caught up epoch={} tip={}", ring.epoch(), ring.tip());
        }
        started.tryComplete();
        while (!held.isEmpty() && !reading) {
            take(held.poll());
        }
        if (again) {
            readOn();
        }
    }
}
