package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.filter.SubscriberIndex;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.relay.ReplayPages;
import io.fanfare.stream.relay.StreamCounters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Serves all streams of one event loop when the ring has news. The index finds the streams that an event concerns; the
 * streams that are not in the index look at each event for themselves. A pass over the streams is cut into turns of the
 * event loop, so that neither a crowd nor filters that take long hold up the sockets. Confined to that event loop.
 */
final class ServeLoop implements Turns {
    /** Streams served in one turn. */
    private static final int TURN_STREAMS = 200;

    /**
     * How long one turn may ask filters. What one event takes is bounded by how long texts and how many phrases may be,
     * since finding takes time in proportion to both.
     */
    private static final long TURN_NANOS_MAX = 8_000_000;

    /** Shorter rests are none: timers count milliseconds. */
    private static final long REST_NANOS_MIN = 500_000;

    /**
     * Streams that have more to send than fits into one go, and that go on in one turn: each with 64 KiB at most, after
     * those that wait for what has just happened.
     */
    private static final int TURN_BEHIND = 16;

    private final LoopTimers timers;
    private final EventRing ring;
    private final ReplayPages pages;
    private final HiddenAccountsCache hiddenAccounts;
    private final FilterMarksCache filterMarks;
    private final VoteFeed votes;
    private final SubscriberIndex<Subscriber> index;
    private final StreamCounters counters;
    private final Failures failures;
    private final PassPacer pacer = new PassPacer();

    /** Streams that look at every event, and those that the index calls. */
    private final List<Subscriber> scanning = new ArrayList<>();

    private final Set<Subscriber> indexed = new HashSet<>();

    /** Streams that have something to send: called ones, and those whose socket takes bytes again. */
    private final ArrayDeque<Subscriber> woken = new ArrayDeque<>();

    /** Streams that go on when all others have been served. */
    private final ArrayDeque<Subscriber> replaying = new ArrayDeque<>();

    private String evaluatedEpoch = "";

    /** Seq up to which blocks and deletes have been taken in, and up to which the index has called. */
    private long receivedSeq;

    private long evaluated;

    /** Whether a later turn goes on calling the index. */
    private boolean calling;

    /** Whether there are events that scanning streams have not been given a pass for. */
    private boolean news;

    /** Scanning streams that the pass has still to serve. */
    private int passLeft;

    /** Whether a turn, or the rest before it, is under way. */
    private boolean waking;

    ServeLoop(
            LoopTimers timers,
            EventLog log,
            EventRing ring,
            Documents documents,
            HiddenAccountsCache hiddenAccounts,
            FilterMarksCache filterMarks,
            VoteFeed votes,
            StreamCounters counters) {
        this.timers = timers;
        this.ring = ring;
        this.hiddenAccounts = hiddenAccounts;
        this.filterMarks = filterMarks;
        this.votes = votes;
        this.counters = counters;
        this.failures = documents.failures();
        this.index = new SubscriberIndex<>(documents);
        this.pages = new ReplayPages(log, documents, counters, this::wake);
    }

    /** Pages of the log for streams below the ring; handed out in the turns of this loop. */
    ReplayPages pages() {
        return pages;
    }

    /** How many streams are open. */
    int size() {
        return scanning.size() + indexed.size();
    }

    /** How many streams the index calls. */
    int indexed() {
        return indexed.size();
    }

    /** The streams that are open now, in a list of their own. */
    List<Subscriber> streams() {
        List<Subscriber> streams = new ArrayList<>(scanning);
        streams.addAll(indexed);
        return streams;
    }

    /** Serves the stream from now on, until it is {@link #remove}d. */
    void add(Subscriber stream) {
        stream.index = scanning.size();
        scanning.add(stream);
    }

    @Override
    public void remove(Subscriber stream) {
        int at = stream.index;
        if (at >= scanning.size() || scanning.get(at) != stream) {
            return;
        }
        Subscriber last = scanning.remove(scanning.size() - 1);
        if (last != stream) {
            scanning.set(at, last);
            last.index = at;
        }
    }

    @Override
    public boolean join(Subscriber stream, StreamFilter filter) {
        // Numbers of another epoch mean nothing here; the ring follows in a moment.
        if (!ring.epoch().equals(evaluatedEpoch) || !filter.join(index, stream)) {
            return false;
        }
        remove(stream);
        indexed.add(stream);
        counters.joins++;
        return true;
    }

    @Override
    public void leave(Subscriber stream, StreamFilter filter) {
        indexed.remove(stream);
        if (!stream.ended()) {
            add(stream);
        }
        filter.leave(index, stream);
    }

    @Override
    public long evaluated() {
        return evaluated;
    }

    @Override
    public void wake(Subscriber stream) {
        if (!stream.woken) {
            stream.woken = true;
            woken.add(stream);
            wake();
        }
    }

    @Override
    public void later(Subscriber stream) {
        if (!stream.replaying) {
            stream.replaying = true;
            replaying.add(stream);
            wake();
        }
    }

    /** The ring has changed. What fails here does not stop the relay that reports it. */
    void advanced() {
        timers.guarded(this::receive);
    }

    /**
     * Calls the streams that the index finds for the news, and serves all others in the next turn. All events of one
     * read of the socket are served in one go.
     */
    private void receive() {
        // The relay reads on in the log now and then, and mostly finds nothing: no stream has to look for that.
        boolean fresh = receivedSeq < ring.tip();
        if (!ring.epoch().equals(evaluatedEpoch) || evaluated + 1 < ring.first()) {
            // The index cannot call for events that the ring skipped: each stream goes on from where it stands.
            List.copyOf(indexed).forEach(Subscriber::lookAgain);
            evaluatedEpoch = ring.epoch();
            evaluated = ring.tip();
            receivedSeq = evaluated;
            fresh = true;
            hiddenAccounts.readAgain();
            filterMarks.readAgain();
            pages.forget();
            votes.forget();
        }
        while (receivedSeq < ring.tip()) {
            StreamEvent event = ring.event(++receivedSeq);
            if (event != null) {
                takeIn(event);
            }
        }
        if (!calling) {
            callIndexed();
        }
        news |= fresh && !scanning.isEmpty();
        wake();
    }

    /** Applies an event to the viewers' states. A state that fails to apply it is read again. */
    private void takeIn(StreamEvent event) {
        if (event.kind() == Event.Kind.DELETE) {
            votes.deleted(event.event().status());
        }
        try {
            hiddenAccounts.receive(event.event());
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.EVENT, e);
            hiddenAccounts.readAgain();
        }
        try {
            filterMarks.receive(event.event());
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.EVENT, e);
            filterMarks.readAgain();
        }
        try {
            pages.receive(event.event());
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.EVENT, e);
            pages.forget();
        }
    }

    /**
     * Asks the index about the events that it has not seen, for one turn's time. A message of Redis may bring many
     * events, each with a long text.
     */
    private void callIndexed() {
        long began = timers.nanos();
        while (evaluated < ring.tip()) {
            StreamEvent event = ring.event(evaluated + 1);
            boolean asks = event != null && !indexed.isEmpty();
            if (asks) {
                call(event);
            }
            evaluated++;
            calling = asks && isOver(began) && evaluated < ring.tip();
            if (calling) {
                timers.nextTurn(this::callOn);
                return;
            }
        }
    }

    /** When the index fails on an event that can be read, each stream looks at that event for itself. */
    private void call(StreamEvent event) {
        try {
            index.receive(event, stream -> stream.call(event));
        } catch (RuntimeException | StackOverflowError e) {
            if (!ring.dropUnreadable(event.logged().seq(), e)) {
                failures.add(Failures.Scope.EVENT, e);
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
        return timers.nanos() - beganNanos >= TURN_NANOS_MAX;
    }

    private void wake() {
        if (!waking && (news || isUnderWay())) {
            waking = true;
            rest();
        }
    }

    private boolean isUnderWay() {
        return passLeft > 0 || !woken.isEmpty() || !replaying.isEmpty() || pages.hasArrived();
    }

    /** Goes on when enough time has passed since the last pass began. */
    private void rest() {
        long left = pacer.left(timers.nanos());
        if (left < REST_NANOS_MIN) {
            timers.nextTurn(this::serve);
        } else {
            timers.after(TimeUnit.NANOSECONDS.toMillis(left + REST_NANOS_MIN), this::serve);
        }
    }

    /** One turn; one that fails is followed by the next one after a pause. */
    private void serve() {
        try {
            serveTurn();
        } catch (RuntimeException | StackOverflowError e) {
            failures.add(Failures.Scope.TURN, e);
            timers.retry(this::serve);
        }
    }

    private void serveTurn() {
        long began = timers.nanos();
        pacer.turn(began);
        boolean over = serveWoken(began);
        over = serveScanning(began, over);
        serveReplaying(began, over);
        pages.handOut(TURN_BEHIND, () -> isOver(began));
        if (isUnderWay()) {
            timers.nextTurn(this::serve);
            return;
        }
        pacer.end(timers.nanos());
        if (news) {
            rest();
        } else {
            waking = false;
        }
    }

    /** Answers whether the turn's time is over. */
    private boolean serveWoken(long began) {
        boolean over = false;
        for (int n = 0; n < TURN_STREAMS && !woken.isEmpty() && !over; n++) {
            Subscriber next = woken.poll();
            next.woken = false;
            over = serve(next, began);
        }
        return over;
    }

    /** Goes from the end to the front: a stream that {@link #remove} moves forward has been served already. */
    private boolean serveScanning(long began, boolean wasOver) {
        boolean over = wasOver;
        if (news && passLeft == 0) {
            news = false;
            passLeft = scanning.size();
        }
        int until = Math.max(0, passLeft - TURN_STREAMS);
        passLeft = Math.min(passLeft, scanning.size());
        while (passLeft > until && !over) {
            passLeft--;
            // A stream that ends inside takes only itself out.
            if (passLeft < scanning.size()) {
                over = serve(scanning.get(passLeft), began);
            }
        }
        passLeft = over ? passLeft : until;
        return over;
    }

    /** Streams that come back during the turn wait for the next. One goes on in any case. */
    private void serveReplaying(long began, boolean wasOver) {
        boolean over = wasOver;
        int most = Math.min(TURN_BEHIND, replaying.size());
        for (int n = 0; n < most && (n == 0 || !over); n++) {
            Subscriber next = replaying.poll();
            next.replaying = false;
            over |= serve(next, began);
        }
    }

    /** Answers whether the turn's time is over. */
    private boolean serve(Subscriber stream, long began) {
        stream.pump();
        return stream.mayTakeLong() && isOver(began);
    }
}
