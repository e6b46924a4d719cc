package io.fanfare.stream.session;

import io.fanfare.common.event.LogState;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.relay.ReplayBudget;
import io.fanfare.stream.relay.ReplayPages;
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
 * One open stream: a cursor into the log and a socket. No bytes are queued for it: when its socket takes more, it
 * fetches what follows its cursor, from the ring or, when it has fallen behind the ring, from the log. So a slow reader
 * costs no memory and misses nothing while the log has it; what the log has no more is told by a gap event.
 *
 * <p>A stream that wants few events does not look at all of them once it has caught up: it joins the
 * {@link io.fanfare.stream.filter.SubscriberIndex} and is told the numbers of those it wants. When it does not send
 * them fast enough it leaves the index and goes on from its cursor. Confined to one event loop.
 */
public final class Subscriber implements Connection, ReplayPages.Reader, Heartbeats.Pulse {
    /** Most bytes that one stream gets in one turn of the event loop, and that wait in its socket. */
    public static final int TURN_BYTES_MAX = 64 << 10;

    /** Numbers that may wait for a stream's socket. */
    private static final int CALLED_MAX = 1024;

    private static final int INDEXED_FIRST = 8;

    /** Filters that may wait for their place in the log: each may be long. */
    private static final int CHANGES_MAX = 8;

    private static final long LAST_WORDS_MILLIS = 1000;

    /** How often a stream that is watched is seen in the time that it may be silent. */
    private static final int WATCHES = 4;

    private final String name;
    private final StreamSink sink;
    private final Dialect dialect;
    private final StreamOptions options;
    private final StreamHub hub;
    private final RateCap rateCap; // null = none
    private boolean limitDue;
    private SlowReaderDetector slowReaderDetector; // null = nothing waits for its socket, as far as is known
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

    /** Numbers of events to be sent, while the index calls; null while the stream looks for itself. */
    private long[] indexed;

    private int indexedFrom;
    private int indexedTo;

    /**
     * More was called than may wait: the stream leaves the index at its next turn, not while the index is still
     * calling.
     */
    private boolean overrun;

    /** Where the hub keeps it; only the hub uses these. */
    int index;

    boolean woken;

    boolean replaying;

    Subscriber(
            StreamHub hub, String name, StreamSink sink, StreamFilter filter, Dialect dialect, StreamOptions options) {
        this.hub = hub;
        this.name = name;
        this.sink = sink;
        this.filter = filter;
        this.dialect = dialect;
        this.options = options;
        this.rateCap = options.perSecondMax() == 0 ? null : new RateCap(options.perSecondMax(), dialect);
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
        return rateCap == null ? wanted : rateCap.over(wanted);
    }

    /** Sends the first bytes and goes on from there. */
    void begin(Hello hello, StartPosition start) {
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

    private void greet(Hello hello, StartPosition start) {
        // Not pumped at once: it may be told within a write, and who has much to catch up with would go on and on.
        sink.open(TURN_BYTES_MAX, () -> hub.wake(this), () -> hub.remove(this));
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
        if (ended || reading || sink.isFull()) {
            return;
        }
        if (cursor >= options.until()) {
            finish();
            return;
        }
        if (mustWait()) {
            return;
        }
        if (overrun) {
            lookAgain();
        } else if (isIndexed()) {
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
            if (cursor < ring.tip() || cursor >= options.until()) {
                hub.later(this);
            } else if (!ended && cursor == hub.evaluated() && hub.join(this, filter)) {
                indexed = new long[INDEXED_FIRST];
                indexedFrom = 0;
                indexedTo = 0;
            }
        }
    }

    /** Whether the index calls it, so that it need not look. */
    public boolean isIndexed() {
        return indexed != null;
    }

    /** The index has found an event that this stream may want: the newest so far. */
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
        boolean again = indexedTo > indexedFrom && indexed[indexedTo - 1] == seq;
        if (ended || !isIndexed() || overrun || again || !filter.confirms(event)) {
            return;
        }
        if (indexedTo < indexed.length || makeRoom()) {
            indexed[indexedTo++] = seq;
        } else {
            overrun = true;
        }
        hub.wake(this);
    }

    private boolean makeRoom() {
        int waiting = indexedTo - indexedFrom;
        if (waiting == CALLED_MAX) {
            return false;
        }
        long[] roomier = waiting > indexed.length / 2 ? new long[indexed.length * 2] : indexed;
        System.arraycopy(indexed, indexedFrom, roomier, 0, waiting);
        indexed = roomier;
        indexedFrom = 0;
        indexedTo = waiting;
        return true;
    }

    /** Leaves the index; everything before the first number that waits has been looked at. */
    void lookAgain() {
        if (isIndexed()) {
            cursor = position();
            indexed = null;
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
        if (!isIndexed()) {
            return cursor;
        }
        return indexedFrom < indexedTo ? indexed[indexedFrom] - 1 : Math.max(cursor, hub.evaluated());
    }

    private void writeCalled() {
        EventRing ring = hub.ring();
        if (indexedFrom == indexedTo) {
            return;
        }
        if (!epoch.equals(ring.epoch()) || indexed[indexedFrom] < ring.first()) {
            lookAgain();
            return;
        }
        List<Buffer> frames = new ArrayList<>(indexedTo - indexedFrom);
        int length = 0;
        while (indexedFrom < indexedTo && length < TURN_BYTES_MAX) {
            cursor = indexed[indexedFrom++];
            Buffer frame = ring.frame(cursor, sent, dialect);
            // Asked last: what cannot be told any more uses up nothing of the cap.
            if (frame != null && (rateCap == null || rateCap.passes(ring.event(cursor)))) {
                frames.add(frame);
                length += frame.length();
            }
        }
        hub.counters().deliveries += frames.size();
        write(EventRing.joined(frames, length));
        tellLimit();
        if (indexedFrom < indexedTo) {
            hub.later(this);
        }
    }

    /**
     * Wants something else from the next event on: what has happened before, and is not sent yet, is judged by the
     * filter that held then.
     *
     * @param reserved for it; released when the stream ends, or wants something else again
     * @return false, and nothing is changed or released, when too many such filters wait already
     */
    public boolean change(StreamFilter other, FilterBudget.Reservation reserved) {
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
        hub.counters().terms += reserved.terms();
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
        if (!sink.isFull()) {
            tellLimit();
            if (nanos - writtenAtNanos >= silenceMax) {
                write(hub.heartbeats().words(dialect, epoch, position()));
                // Where the dialect has no words, what carries the stream keeps it open.
                writtenAtNanos = nanos;
            }
        }
        boolean watched = slowReaderDetector != null || rateCap != null || sink.isFull();
        return watched ? silenceMax / WATCHES : silenceMax - (nanos - writtenAtNanos);
    }

    /** Only while something waits for its socket is there anything to judge. */
    private void judge(long nanos) {
        long waiting = sink.waiting();
        if (waiting == 0) {
            slowReaderDetector = null;
            return;
        }
        if (slowReaderDetector == null) {
            slowReaderDetector = hub.slowReaderDetector(nanos, sink.taken());
        }
        boolean farBehind = epoch.equals(hub.ring().epoch()) && !hub.inMemory(position());
        switch (slowReaderDetector.judge(nanos, sink.taken(), waiting, farBehind)) {
            case DEAD -> cut(Disconnect.STALL);
            case TOO_SLOW -> evict(Disconnect.STALL);
            case READS -> {}
        }
    }

    private void cut(Disconnect why) {
        hub.counters().ended(why);
        hub.remove(this);
        sink.abort();
    }

    /** Waits a moment at most for its last words to be sent. */
    @Override
    public void evict(Disconnect why) {
        if (ended) {
            return;
        }
        try {
            if (sink.isFull()) {
                // Whatever is said would come behind what waits, when it is read.
                cut(why);
            } else {
                end(why).timeout(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS).onFailure(unread -> sink.abort());
            }
        } catch (RuntimeException | StackOverflowError e) {
            // It ends all the same, without a word.
            hub.failures().add(Failures.Of.STREAM, e);
            hub.remove(this);
            sink.abort();
        }
    }

    /**
     * Ends the stream and says why, where the dialect can. Completes when that has been sent, fails when the client is
     * gone.
     */
    Future<Void> end(Disconnect why) {
        if (ended) {
            return Future.succeededFuture();
        }
        hub.counters().ended(why);
        // A full socket would hold the last words back for as long as its reader stalls; such a stream just ends.
        if (!sink.isFull()) {
            write(rateCap == null ? null : rateCap.lastWord(hub.nanos()));
            write(dialect.disconnect(why, name, hub.retryMillis(why)));
        }
        hub.remove(this);
        return sink.end(why);
    }

    /** Whose it is, for the operator; nobody's unless it is said. */
    public void belongsTo(long listener) {
        account = listener;
    }

    /** What was reserved for its filter, to be released with it. */
    public void holds(FilterBudget.Reservation reserved) {
        hub.counters().terms += reserved.terms();
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
        hub.counters().terms -= reserved.terms();
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
                sink.taken(),
                sink.waiting(),
                TimeUnit.NANOSECONDS.toMillis(hub.nanos() - openedAtNanos),
                TimeUnit.NANOSECONDS.toMillis(hub.nanos() - writtenAtNanos));
    }

    /** Name of the connection, as its hello says. */
    public String conn() {
        return conn;
    }

    /** Whether its filter is one that a client has put together. */
    public boolean isFiltered() {
        return filter.changeable();
    }

    @Override
    public boolean ended() {
        return ended;
    }

    /**
     * The log began anew. This stream was there all the time, so it goes on with the new epoch's first event; one that
     * was to end somewhere ends here, since its rest is lost.
     */
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
        if (options.ends()) {
            finish();
        } else {
            inform();
            hub.later(this);
        }
    }

    /**
     * The filter may have to learn from what this stream does not hear: it makes up for that before it is asked again.
     */
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
        long waitMillis = replay.take(ReplayPages.events(cursor), hub.nanos());
        reading = true;
        if (waitMillis > 0) {
            hub.after(waitMillis, this::goOn);
        } else {
            hub.replay().ask(cursor, this);
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
    public void take(ReplayPages.Page page) {
        try {
            read(page);
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    private void read(ReplayPages.Page page) {
        reading = false;
        if (ended || sink.isFull() || mustWait()) {
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
            if (options.endsAtGap()) {
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
                ? options.until()
                : Math.min(options.until(), changes.peek().after());
        EventRing.Slice slice = events.after(cursor, last, sent, dialect, TURN_BYTES_MAX);
        advance(Math.max(cursor, slice.upTo()));
        hub.counters().deliveries += slice.events();
        write(slice.bytes());
        tellLimit();
    }

    /**
     * What the cap has left out is told at once, or within a second where there has just been word of it; to a full
     * socket with the next beat.
     */
    private void tellLimit() {
        if (rateCap == null || ended || sink.isFull()) {
            return;
        }
        write(rateCap.word(hub.nanos()));
        if (rateCap.owes() && !limitDue) {
            limitDue = true;
            hub.after(RateCap.TELL_EVERY_MILLIS, () -> {
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
        if (!options.warns()) {
            return;
        }
        warnings = warnings == null ? new Warnings() : warnings;
        int percentFull = (int) (100 * (hub.known().tip() - cursor) / hub.window());
        if (warnings.due(percentFull, hub.nanos())) {
            hub.counters().warnings++;
            write(dialect.warning(percentFull));
        }
    }

    private void tell(Gap gap) {
        hub.counters().gaps++;
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
        hub.counters().bytes += bytes.length();
        sink.write(bytes);
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
            hub.counters().closed(name, dialect);
            atEnd.run();
            atEnd = () -> {};
            releaseAll();
        }
        if (isIndexed()) {
            indexed = null;
            hub.guarded(() -> hub.leave(this, filter));
        }
    }
}
