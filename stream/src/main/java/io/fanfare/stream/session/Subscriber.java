package io.fanfare.stream.session;

import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.wire.BlockDeflater;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Gap;
import io.fanfare.stream.wire.GzipBlock;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The cursor of one open stream. No bytes are queued for the stream: when its socket takes more, it fetches what
 * follows its cursor, from the ring or, when it has fallen behind the ring, from the log. So a slow reader costs no
 * memory and misses nothing while the log has it; a gap event reports what the log has lost.
 *
 * <p>A stream that wants few events does not look at all of them once it has caught up: it joins the
 * {@link io.fanfare.stream.filter.SubscriberIndex}, which finds the numbers of those that it wants. When it does not
 * send them fast enough it leaves the index and goes on from its cursor. Confined to one event loop.
 */
public final class Subscriber extends StreamConnection {
    /** Most bytes that one stream gets in one turn of the event loop, and that wait in its socket. */
    public static final int TURN_BYTES_MAX = 64 << 10;

    private final Turns turns;
    private final StreamOptions options;

    private StreamFilter filter;

    /** The filter after the rate cap: what is sent. */
    private StreamFilter capped;

    private FilterSchedule schedule; // null = nothing is reserved for its filter, and no other one follows
    private CatchUp catchUp; // null = it needed nothing that had to be read so far
    private PendingEvents pending; // null = it is not in the index
    private String epoch;
    private long cursor;

    /** Whether the client gets a notice that its filters have changed, once its socket takes bytes. */
    private boolean filtersDue;

    /** Whether {@link CatchUp} waits for something. */
    boolean waiting;

    // Where the loop keeps it; only the loop uses these.
    int index;
    boolean woken;
    boolean replaying;

    Subscriber(
            Turns turns,
            LoopParts loop,
            String name,
            StreamSink sink,
            StreamFilter filter,
            Dialect dialect,
            StreamOptions options) {
        super(
                loop,
                name,
                sink,
                dialect,
                options.perSecondMax() == 0 ? null : new RateCap(options.perSecondMax(), dialect));
        this.turns = turns;
        this.options = options;
        hold(filter);
    }

    private void hold(StreamFilter next) {
        filter = next;
        capped = rateCap == null ? next : rateCap.over(next);
    }

    /** Sends the first bytes and goes on from there. */
    void begin(Hello hello, StartPosition start) {
        epoch = start.epoch();
        cursor = start.after();
        try {
            // Not pumped at once: the socket may call within a write, and a long replay would go on and on.
            greet(hello, () -> turns.wake(this));
            if (start.gap() != null) {
                gap(start.gap());
            }
            inform();
            pump();
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    /** Writes what comes next, if there is anything and the socket takes it. */
    void pump() {
        try {
            goOnFromCursor();
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    private void goOnFromCursor() {
        if (ended() || waiting || sink.isFull()) {
            return;
        }
        if (filtersDue) {
            filtersDue = false;
            write(dialect.filtersChanged(), 0);
        }
        if (cursor >= options.until()) {
            finish();
        } else if (isReady()) {
            writeNext();
        }
    }

    /** Whether its filter is ready; otherwise the stream waits until it is. */
    boolean isReady() {
        if (!filter.isReady()) {
            catchUp().await(filter);
            return false;
        }
        return true;
    }

    /** The filter may depend on events that this stream does not get: it reads those before its next call. */
    void inform() {
        if (!ended() && !filter.knows(epoch, cursor)) {
            catchUp().learn(filter);
        }
    }

    @Override
    void gap(Gap gap) {
        filter.skipped();
        super.gap(gap);
    }

    private CatchUp catchUp() {
        catchUp = catchUp == null ? new CatchUp(this, turns, options) : catchUp;
        return catchUp;
    }

    private void writeNext() {
        if (pending == null) {
            look();
        } else if (pending.isOverrun()) {
            lookAgain();
        } else {
            writePending();
        }
    }

    private void look() {
        EventRing ring = loop.log().ring();
        if (!epoch.equals(ring.epoch())) {
            catchUp().enterEpoch(ring.epoch());
        } else if (cursor + 1 < ring.first()) {
            catchUp().readLog();
        } else {
            writeFrom(ring);
            if (cursor < ring.tip() || cursor >= options.until()) {
                turns.later(this);
            } else if (!ended() && cursor == turns.evaluated() && turns.join(this, filter)) {
                pending = new PendingEvents();
            }
        }
    }

    /** Writes what follows the cursor there, as much as fits into one turn. */
    void writeFrom(EventRing events) {
        long last = schedule == null ? options.until() : Math.min(options.until(), schedule.last());
        // A page of the log may be for this stream alone: it goes out as it is.
        BlockDeflater deflater = sink.isCompressed() && events == loop.log().ring() ? loop.deflater() : null;
        EventRing.Slice slice = events.after(cursor, last, capped, dialect, deflater, TURN_BYTES_MAX);
        advance(Math.max(cursor, slice.upTo()));
        if (slice.block() == null) {
            write(slice.bytes(), slice.events());
        } else {
            write(slice.block(), slice.events());
        }
    }

    /** Everything up to there has been looked at, by the filters that held. */
    void advance(long seq) {
        cursor = seq;
        adopt(seq);
    }

    /** Takes the filter that holds behind that event. */
    private void adopt(long seq) {
        StreamFilter next = schedule == null ? null : schedule.advance(seq);
        if (next != null) {
            hold(next);
        }
    }

    private void write(Buffer frames, int events) {
        loop.counters().deliveries += events;
        if (!ended() && frames != null && frames.length() > 0) {
            writes(frames.length());
            sink.write(frames);
        }
        sendLimit();
    }

    private void write(GzipBlock block, int events) {
        loop.counters().deliveries += events;
        if (!ended()) {
            writes(block.bytes().length());
            sink.write(block);
        }
        sendLimit();
    }

    /**
     * Sends how an article stands if the stream would send the article now. A stream that reads the log, or whose
     * socket is full, misses it: a vote waits for nothing.
     *
     * @param article the event of an article as it is now, which is in no log
     * @param frame of each dialect
     */
    void vote(StreamEvent article, Function<Dialect, Buffer> frame) {
        try {
            if (isLive() && filter.stateless().wants(article)) {
                write(frame.apply(dialect), 0);
            }
        } catch (RuntimeException | StackOverflowError e) {
            loop.failures().add(Failures.Scope.EVENT, e);
        }
    }

    /** Says that the viewer's filters have changed: at once, or when the socket takes bytes again. */
    void filtersChanged() {
        filtersDue = dialect.filtersChanged() != null;
        pump();
    }

    /** Whether all that the stream has been sent so far is known to this event loop, and what comes next as well. */
    private boolean isLive() {
        EventRing ring = loop.log().ring();
        boolean takes = !ended() && !waiting && !options.ends() && !sink.isFull() && filter.isReady();
        return takes && epoch.equals(ring.epoch()) && position() + 1 >= ring.first() && position() <= ring.tip();
    }

    /** Whether the index calls it, so that it need not look. */
    public boolean isIndexed() {
        return pending != null;
    }

    /** The index has found an event that this stream may want: the newest so far. */
    void call(StreamEvent event) {
        try {
            consider(event);
        } catch (RuntimeException | StackOverflowError e) {
            if (!loop.log().ring().dropUnreadable(event.logged().seq(), e)) {
                fail(e);
            }
        }
    }

    private void consider(StreamEvent event) {
        long seq = event.logged().seq();
        boolean takes = !ended() && pending != null && !pending.isOverrun() && !pending.isNewest(seq);
        if (takes && filter.confirms(event)) {
            pending.add(seq);
            turns.wake(this);
        }
    }

    /** Leaves the index; everything before the first number that waits has been looked at. */
    void lookAgain() {
        if (pending != null) {
            cursor = position();
            pending = null;
            try {
                turns.leave(this, filter);
            } catch (RuntimeException | StackOverflowError e) {
                fail(e);
            }
            turns.later(this);
        }
    }

    /** Seq up to which everything has been looked at, and sent if it was wanted. */
    private long position() {
        if (pending == null) {
            return cursor;
        }
        return pending.isEmpty() ? Math.max(cursor, turns.evaluated()) : pending.first() - 1;
    }

    private void writePending() {
        EventRing ring = loop.log().ring();
        if (pending.isEmpty()) {
            return;
        }
        if (!epoch.equals(ring.epoch()) || pending.first() < ring.first()) {
            lookAgain();
            return;
        }
        List<Buffer> frames = new ArrayList<>(pending.size());
        int length = 0;
        while (!pending.isEmpty() && length < TURN_BYTES_MAX) {
            cursor = pending.poll();
            Buffer frame = ring.frame(cursor, capped, dialect);
            // Checked last: an event that cannot be sent any more uses up nothing of the cap.
            if (frame != null && (rateCap == null || rateCap.passes(ring.event(cursor)))) {
                frames.add(frame);
                length += frame.length();
            }
        }
        write(EventRing.joined(frames, length), frames.size());
        if (pending != null && !pending.isEmpty()) {
            turns.later(this);
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
        if (ended()) {
            reserved.release();
            return true;
        }
        try {
            lookAgain();
            EventRing ring = loop.log().ring();
            if (!epoch.equals(ring.epoch())) {
                catchUp().enterEpoch(ring.epoch());
            }
            boolean taken = schedule().change(ring.tip(), filter.changedTo(other), reserved);
            adopt(cursor);
            return taken;
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
            throw e;
        }
    }

    private FilterSchedule schedule() {
        schedule = schedule == null ? new FilterSchedule(loop.counters()) : schedule;
        return schedule;
    }

    /** Passes on the reservation for the first filter, which is released with it. */
    public void holds(FilterBudget.Reservation reserved) {
        if (reserved.terms() > 0) {
            schedule().holds(reserved);
        }
        if (ended() && schedule != null) {
            schedule.releaseAll();
        }
    }

    @Override
    public long beat(long nanos, long silenceMax) {
        long position = position();
        boolean farBehind =
                epoch.equals(loop.log().ring().epoch()) && !loop.log().inMemory(position);
        return beat(nanos, silenceMax, epoch, position, farBehind);
    }

    /** Leaves the loop and the index. */
    @Override
    void left() {
        turns.remove(this);
        if (pending != null) {
            pending = null;
            loop.timers().guarded(() -> turns.leave(this, filter));
        }
        if (schedule != null) {
            schedule.releaseAll();
        }
    }

    /** Stands behind that event of another epoch from now on. */
    void enter(String begun, long seq) {
        epoch = begun;
        // Changed filters have waited for numbers of the old epoch; what comes now is sent by the newest of them.
        adopt(Long.MAX_VALUE);
        cursor = seq;
    }

    /** Everything that was requested has been sent. */
    void finish() {
        finish(epoch, cursor);
    }

    String epoch() {
        return epoch;
    }

    /** Seq up to which it has looked at everything, while it is not in the index. */
    long cursor() {
        return cursor;
    }

    /** Whether its filter is one that a client has put together. */
    public boolean isFiltered() {
        return filter.changeable();
    }

    /** Whether a turn of it may take long: its filter, or the compression of what it alone is sent. */
    boolean mayTakeLong() {
        return isFiltered() || sink.isCompressed();
    }

    /** How it is at the moment. */
    StreamRow row() {
        EventRing ring = loop.log().ring();
        boolean current = epoch.equals(ring.epoch());
        long behind =
                current ? ring.tip() - position() : ring.tip() + 1 - loop.log().floor();
        return row(filter.label(), behind);
    }
}
