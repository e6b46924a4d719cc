package io.fanfare.stream;

import io.fanfare.common.event.LogState;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Gap;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One open stream: a cursor into the log and a socket. No bytes are queued for it: when its socket takes more, it fetches what follows its cursor, from the ring or, when it has
 * fallen behind the ring, from the log. So a slow reader costs no memory and misses nothing while the log has it; what the log has no more is told by a gap event.
 *
 * <p>A stream that wants few events does not look at all of them once it has caught up: it joins the {@link io.fanfare.stream.filter.Audience} and is told the numbers of those
 * it wants. When it does not send them fast enough it leaves the audience and goes on from its cursor. Confined to one event loop.
 */
final class Subscriber implements Connection, Past.Reader, Heartbeats.Pulse {
    /** Most bytes that one stream gets in one turn of the event loop, and that wait in its socket. */
    static final int TURN_BYTES_MAX = 64 << 10;

    /** Numbers that may wait for a stream's socket. */
    private static final int CALLED_MAX = 1024;

    private static final int CALLED_FIRST = 8;

    /** Filters that may wait for their place in the log: each may be long. */
    private static final int CHANGES_MAX = 8;

    private static final long LAST_WORDS_MILLIS = 1000;

    /** How often a stream that is watched is seen in the time that it may be silent. */
    private static final int WATCHES = 4;

    private final String name;
    private final Outlet outlet;
    private final Dialect dialect;
    private final Manners manners;
    private final StreamHub hub;
    private final Cap cap; // null = none
    private boolean limitDue;
    private Patience patience; // null = nothing waits for its socket, as far as is known
    private ReplayBudget replay; // null = never read for
    private Warnings warnings; // null = none so far
    private StreamFilter filter;

    /** What of it is sent. */
    private StreamFilter sent;

    /** Filters that hold further on, in order; null = none. */
    private Deque<Change> changes;

    /** Of the filter. */
    private FilterBudget.Reservation reservation = FilterBudget.Reservation.NOTHING;

    private String conn;
    private long account;
    private long openedAtNanos;
    private String epoch;
    private long cursor;
    private long writtenAtNanos;
    private boolean reading;
    private boolean ended;
    private Runnable atEnd = () -> {};

    /** Numbers of events to be sent, while the audience calls; null while the stream looks for itself. */
    private long[] called;

    private int calledFrom;
    private int calledTo;

    /** More was called than may wait: the stream leaves the audience at its next turn, not while the audience is still calling. */
    private boolean overrun;

    /** Where the hub keeps it; only the hub uses these. */
    int index;

    boolean woken;

    boolean behind;

    Subscriber(StreamHub hub, String name, Outlet outlet, StreamFilter filter, Dialect dialect, Manners manners) {
        this.hub = hub;
        this.name = name;
        this.outlet = outlet;
        this.filter = filter;
        this.dialect = dialect;
        this.manners = manners;
        this.cap = manners.perSecondMax() == 0 ? null : new Cap(manners.perSecondMax(), dialect);
        this.sent = sent(filter);
    }

    /**
     * Another filter, from some place on.
     *
     * @param after seq of the last event that the one before it judges
     * @param reservation of that filter
     */
    private record Change(long after, StreamFilter filter, FilterBudget.Reservation reservation) {}

    private StreamFilter sent(StreamFilter wanted) {
        return cap == null ? wanted : cap.over(wanted);
    }

    /** Sends the first bytes and goes on from there. */
    void begin(Hello hello, Resume start) {
        conn = hello.conn();
        openedAtNanos = hub.nanos();
        writtenAtNanos = openedAtNanos;
        epoch = start.epoch();
        cursor = start.after();
        try {
            greet(hello, start);
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    private void greet(Hello hello, Resume start) {
        // Not pumped at once: it may be told within a write, and who has much to catch up with would go on and on.
        outlet.open(TURN_BYTES_MAX, () -> hub.wake(this), () -> hub.remove(this));
        write(dialect.greeting(hello));
        if (start.gap() != null) {
            tell(start.gap());
        }
        inform();
        pump();
    }

    /** Writes what comes next, if there is anything and the socket takes it. */
    void pump() {
        try {
            goOnFromCursor();
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    /** Ends this stream, and nothing else: the server has failed on it. Its client comes back with its cursor. */
    @Override
    public void fail(Throwable cause) {
        hub.failures().add(Failures.Of.STREAM, cause);
        evict(Disconnect.STREAM_EXCEPTION);
    }

    private void goOnFromCursor() {
        if (ended || reading || outlet.isFull()) {
            return;
        }
        if (cursor >= manners.until()) {
            finish();
            return;
        }
        if (mustWait()) {
            return;
        }
        if (overrun) {
            lookAgain();
        } else if (isCalled()) {
            writeCalled();
        } else {
            look();
        }
    }

    /** Whether its filter cannot be asked yet: the stream goes on when it can. */
    private boolean mustWait() {
        if (filter.isReady()) {
            return false;
        }
        reading = true;
        filter.whenReady(this::goOn);
        return true;
    }

    /** Everything that was asked for has been told. */
    private void finish() {
        write(dialect.finished(epoch, cursor));
        end(Disconnect.MESSAGE_LIMIT).onFailure(gone -> {});
    }

    private void look() {
        EventRing ring = hub.ring();
        if (!epoch.equals(ring.epoch())) {
            enterEpoch(ring.epoch());
        } else if (cursor + 1 < ring.first()) {
            readLog();
        } else {
            writeFrom(ring);
            if (cursor < ring.tip() || cursor >= manners.until()) {
                hub.later(this);
            } else if (!ended && cursor == hub.evaluated() && hub.join(this, filter)) {
                called = new long[CALLED_FIRST];
                calledFrom = 0;
                calledTo = 0;
            }
        }
    }

    /** Whether the audience calls it, so that it need not look. */
    boolean isCalled() {
        return called != null;
    }

    /** The audience has found an event that this stream may want: the newest so far. */
    void call(StreamEvent event) {
        try {
            consider(event);
        } catch (RuntimeException | StackOverflowError e) {
            if (!hub.ring().dropUnreadable(event.logged().seq(), e)) {
                fail(e);
            }
        }
    }

    private void consider(StreamEvent event) {
        long seq = event.logged().seq();
        boolean again = calledTo > calledFrom && called[calledTo - 1] == seq;
        if (ended || !isCalled() || overrun || again || !filter.confirms(event)) {
            return;
        }
        if (calledTo < called.length || makeRoom()) {
            called[calledTo++] = seq;
        } else {
            overrun = true;
        }
        hub.wake(this);
    }

    private boolean makeRoom() {
        int waiting = calledTo - calledFrom;
        if (waiting == CALLED_MAX) {
            return false;
        }
        long[] roomier = waiting > called.length / 2 ? new long[called.length * 2] : called;
        System.arraycopy(called, calledFrom, roomier, 0, waiting);
        called = roomier;
        calledFrom = 0;
        calledTo = waiting;
        return true;
    }

    /** Leaves the audience; everything before the first number that waits has been looked at. */
    void lookAgain() {
        if (isCalled()) {
            cursor = position();
            called = null;
            overrun = false;
            try {
                hub.leave(this, filter);
            } catch (RuntimeException | StackOverflowError e) {
                fail(e);
            }
            hub.later(this);
        }
    }

    /** Seq up to which everything has been looked at, and told if it was wanted. */
    private long position() {
        if (!isCalled()) {
            return cursor;
        }
        return calledFrom < calledTo ? called[calledFrom] - 1 : Math.max(cursor, hub.evaluated());
    }

    private void writeCalled() {
        EventRing ring = hub.ring();
        if (calledFrom == calledTo) {
            return;
        }
        if (!epoch.equals(ring.epoch()) || called[calledFrom] < ring.first()) {
            lookAgain();
            return;
        }
        List<Buffer> frames = new ArrayList<>(calledTo - calledFrom);
        int length = 0;
        while (calledFrom < calledTo && length < TURN_BYTES_MAX) {
            cursor = called[calledFrom++];
            Buffer frame = ring.frame(cursor, sent, dialect);
            // Asked last: what cannot be told any more uses up nothing of the cap.
            if (frame != null && (cap == null || cap.passes(ring.event(cursor)))) {
                frames.add(frame);
                length += frame.length();
            }
        }
        hub.tally().deliveries += frames.size();
        write(EventRing.joined(frames, length));
        tellLimit();
        if (calledFrom < calledTo) {
            hub.later(this);
        }
    }

    /**
     * Wants something else from the next event on: what has happened before, and is not sent yet, is judged by the filter that held then.
     *
     * @param reserved for it; released when the stream ends, or wants something else again
     * @return false, and nothing is changed or released, when too many such filters wait already
     */
    boolean change(StreamFilter other, FilterBudget.Reservation reserved) {
        if (ended) {
            reserved.release();
            return true;
        }
        try {
            return takeOn(other, reserved);
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
            throw e;
        }
    }

    private boolean takeOn(StreamFilter other, FilterBudget.Reservation reserved) {
        lookAgain();
        EventRing ring = hub.ring();
        if (!epoch.equals(ring.epoch())) {
            enterEpoch(ring.epoch());
        }
        changes = changes == null ? new ArrayDeque<>(1) : changes;
        if (!changes.isEmpty() && changes.peekLast().after() == ring.tip()) {
            // Nothing has happened since.
            release(changes.removeLast().reservation());
        }
        if (changes.size() == CHANGES_MAX) {
            return false;
        }
        changes.add(new Change(ring.tip(), filter.changedTo(other), reserved));
        hub.tally().terms += reserved.terms();
        advance(cursor);
        return true;
    }

    /** Everything up to there has been looked at, by the filters that held. */
    private void advance(long seq) {
        cursor = seq;
        while (changes != null && changes.peek().after() <= seq) {
            adopt(changes.poll());
        }
    }

    private void adopt(Change change) {
        release(reservation);
        reservation = change.reservation();
        filter = change.filter();
        sent = sent(filter);
        changes = changes.isEmpty() ? null : changes;
    }

    /** Keeps a silent stream open, tells what its cap has left out, and gives up a reader that does not read. */
    @Override
    public long beat(long nanos, long silenceMax) {
        if (!ended) {
            judge(nanos);
        }
        if (ended) {
            return 0;
        }
        if (!outlet.isFull()) {
            tellLimit();
            if (nanos - writtenAtNanos >= silenceMax) {
                write(hub.heartbeats().words(dialect, epoch, position()));
                // Where the dialect has no words, what carries the stream keeps it open.
                writtenAtNanos = nanos;
            }
        }
        boolean watched = patience != null || cap != null || outlet.isFull();
        return watched ? silenceMax / WATCHES : silenceMax - (nanos - writtenAtNanos);
    }

    /** Only while something waits for its socket is there anything to judge. */
    private void judge(long nanos) {
        long waiting = outlet.waiting();
        if (waiting == 0) {
            patience = null;
            return;
        }
        if (patience == null) {
            patience = hub.patience(nanos, outlet.taken());
        }
        boolean farBehind = epoch.equals(hub.ring().epoch()) && !hub.inMemory(position());
        switch (patience.judge(nanos, outlet.taken(), waiting, farBehind)) {
            case DEAD -> cut(Disconnect.STALL);
            case TOO_SLOW -> evict(Disconnect.STALL);
            case READS -> {}
        }
    }

    private void cut(Disconnect why) {
        hub.tally().ended(why);
        hub.remove(this);
        outlet.abort();
    }

    /** Waits a moment at most for its last words to be sent. */
    @Override
    public void evict(Disconnect why) {
        if (ended) {
            return;
        }
        try {
            if (outlet.isFull()) {
                // Whatever is said would come behind what waits, when it is read.
                cut(why);
            } else {
                end(why).timeout(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS).onFailure(unread -> outlet.abort());
            }
        } catch (RuntimeException | StackOverflowError e) {
            // It ends all the same, without a word.
            hub.failures().add(Failures.Of.STREAM, e);
            hub.remove(this);
            outlet.abort();
        }
    }

    /** Ends the stream and says why, where the dialect can. Completes when that has been sent, fails when the client is gone. */
    Future<Void> end(Disconnect why) {
        if (ended) {
            return Future.succeededFuture();
        }
        hub.tally().ended(why);
        // A full socket would hold the last words back for as long as its reader stalls; such a stream just ends.
        if (!outlet.isFull()) {
            write(cap == null ? null : cap.lastWord(hub.nanos()));
            write(dialect.disconnect(why, name, hub.retryMillis(why)));
        }
        hub.remove(this);
        return outlet.end(why);
    }

    /** Whose it is, for the operator; nobody's unless it is said. */
    void belongsTo(long listener) {
        account = listener;
    }

    /** What was reserved for its filter, to be released with it. */
    void holds(FilterBudget.Reservation reserved) {
        hub.tally().terms += reserved.terms();
        reservation = reserved;
        if (ended) {
            releaseAll();
        }
    }

    private void releaseAll() {
        release(reservation);
        if (changes != null) {
            changes.forEach(change -> release(change.reservation()));
        }
    }

    private void release(FilterBudget.Reservation reserved) {
        hub.tally().terms -= reserved.terms();
        reserved.release();
    }

    /** How it is at the moment. */
    StreamRow row() {
        EventRing ring = hub.ring();
        long behind = epoch.equals(ring.epoch()) ? ring.tip() - position() : ring.tip() + 1 - hub.floor();
        return new StreamRow(
                conn,
                account,
                name,
                dialect.name().toLowerCase(Locale.ROOT),
                filter.label(),
                Math.max(0, behind),
                outlet.taken(),
                outlet.waiting(),
                TimeUnit.NANOSECONDS.toMillis(hub.nanos() - openedAtNanos),
                TimeUnit.NANOSECONDS.toMillis(hub.nanos() - writtenAtNanos));
    }

    /** Name of the connection, as its hello says. */
    String conn() {
        return conn;
    }

    /** Whether its filter is one that a client has put together. */
    boolean isFiltered() {
        return filter.changeable();
    }

    @Override
    public boolean ended() {
        return ended;
    }

    /** The log began anew. This stream was there all the time, so it goes on with the new epoch's first event; one that was to end somewhere ends here, since its rest is lost. */
    private void enterEpoch(String begun) {
        // A node that hears of it late may find that the new epoch has lost its beginning as well.
        Gap gap = new Gap(Gap.Reason.EPOCH, cursor + 1, hub.floor() - 1);
        epoch = begun;
        while (changes != null) {
            // They have waited for numbers of the old epoch, and all of this one is newer.
            adopt(changes.poll());
        }
        cursor = hub.floor() - 1;
        tell(gap);
        if (manners.ends()) {
            finish();
        } else {
            inform();
            hub.later(this);
        }
    }

    /** The filter may have to learn from what this stream does not hear: it makes up for that before it is asked again. */
    private void inform() {
        if (!ended && !filter.knows(epoch, cursor)) {
            reading = true;
            filter.learnUpTo(epoch, cursor).onComplete(learned -> goOn(), unread -> hub.retry(this::informOrFail));
        }
    }

    private void informOrFail() {
        try {
            inform();
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    private void readLog() {
        replay = replay == null ? hub.replayBudget() : replay;
        long waitMillis = replay.take(Past.events(cursor), hub.nanos());
        reading = true;
        if (waitMillis > 0) {
            hub.after(waitMillis, this::goOn);
        } else {
            hub.past().ask(cursor, this);
        }
    }

    private void goOn() {
        reading = false;
        pump();
    }

    @Override
    public void unread() {
        reading = false;
        hub.retry(this::pump);
    }

    @Override
    public void broken() {
        reading = false;
        evict(Disconnect.STREAM_EXCEPTION);
    }

    @Override
    public void take(Past.Page page) {
        try {
            read(page);
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    private void read(Past.Page page) {
        reading = false;
        if (ended || outlet.isFull() || mustWait()) {
            return;
        }
        LogState log = page.state();
        if (!log.epoch().equals(epoch) || !page.follows(cursor)) {
            // The ring will know of the new epoch in a moment, and which of its events this stream goes on with; or a
            // change of its filter has led the stream there while it waited.
            hub.retry(this::pump);
            return;
        }
        if (cursor + 1 < log.floor()) {
            Gap gap = new Gap(Gap.Reason.EXPIRED, cursor + 1, log.floor() - 1);
            advance(log.floor() - 1);
            if (manners.endsAtGap()) {
                end(Disconnect.STALL).onFailure(gone -> {});
                return;
            }
            tell(gap);
            inform();
            if (reading) {
                return;
            }
        }
        warn();
        writeFrom(page.events());
        hub.later(this);
    }

    private void writeFrom(EventRing events) {
        long last = changes == null
                ? manners.until()
                : Math.min(manners.until(), changes.peek().after());
        EventRing.Slice slice = events.after(cursor, last, sent, dialect, TURN_BYTES_MAX);
        advance(Math.max(cursor, slice.upTo()));
        hub.tally().deliveries += slice.events();
        write(slice.bytes());
        tellLimit();
    }

    /** What the cap has left out is told at once, or within a second where there has just been word of it; to a full socket with the next beat. */
    private void tellLimit() {
        if (cap == null || ended || outlet.isFull()) {
            return;
        }
        write(cap.word(hub.nanos()));
        if (cap.owes() && !limitDue) {
            limitDue = true;
            hub.after(Cap.TELL_EVERY_MILLIS, () -> {
                limitDue = false;
                tellLimitOrFail();
            });
        }
    }

    private void tellLimitOrFail() {
        try {
            tellLimit();
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    private void warn() {
        if (!manners.warns()) {
            return;
        }
        warnings = warnings == null ? new Warnings() : warnings;
        int percentFull = (int) (100 * (hub.known().tip() - cursor) / hub.window());
        if (warnings.due(percentFull, hub.nanos())) {
            hub.tally().warnings++;
            write(dialect.warning(percentFull));
        }
    }

    private void tell(Gap gap) {
        hub.tally().gaps++;
        Buffer words = dialect.gap(gap);
        if (words != null) {
            write(words);
        } else {
            // The dialect cannot say it: the end makes the client load anew what it has missed.
            end(Disconnect.SHED_LOAD).onFailure(gone -> {});
        }
    }

    private void write(Buffer bytes) {
        if (ended || bytes == null || bytes.length() == 0) {
            return;
        }
        writtenAtNanos = hub.nanos();
        hub.tally().bytes += bytes.length();
        outlet.write(bytes);
    }

    @Override
    public void whenEnded(Runnable run) {
        if (ended) {
            run.run();
        } else {
            Runnable before = atEnd;
            atEnd = () -> {
                before.run();
                hub.guarded(run);
            };
        }
    }

    /** Called by the hub when the connection is gone: nothing is written any more. */
    void forget() {
        if (!ended) {
            ended = true;
            hub.tally().closed(name, dialect);
            atEnd.run();
            atEnd = () -> {};
            releaseAll();
        }
        if (isCalled()) {
            called = null;
            hub.guarded(() -> hub.leave(this, filter));
        }
    }
}
