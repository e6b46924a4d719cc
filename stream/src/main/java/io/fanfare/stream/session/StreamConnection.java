package io.fanfare.stream.session;

import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Gap;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One open stream as its client sees it beside the events: its greeting, control events, heartbeats, and its end.
 * Confined to one event loop.
 *
 * <p>The base of {@link Subscriber} and not an object beside it: with thousands of streams, each further object that an
 * event touches is a miss of the processor's cache.
 */
public abstract class StreamConnection implements Connection, Heartbeats.Pulse {
    private static final long LAST_WORDS_MILLIS = 1000;

    /** How often a stream that is watched is seen in the time that it may be silent. */
    private static final int WATCHES = 4;

    final LoopParts loop;
    final StreamSink sink;
    final Dialect dialect;
    final RateCap rateCap; // null = none
    private final String name;
    private boolean limitDue;
    private SlowReaderDetector slowReaderDetector; // null = nothing waits for its socket, as far as is known
    private Warnings warnings; // null = none so far
    private String conn;
    private long account;
    private long openedAtNanos;
    private long writtenAtNanos;
    private boolean ended;
    private Runnable atEnd = () -> {};

    /** @param rateCap null = none */
    StreamConnection(LoopParts loop, String name, StreamSink sink, Dialect dialect, RateCap rateCap) {
        this.loop = loop;
        this.name = name;
        this.sink = sink;
        this.dialect = dialect;
        this.rateCap = rateCap;
    }

    /**
     * Sends the first bytes.
     *
     * @param drained when the socket takes bytes again
     */
    void greet(Hello hello, Runnable drained) {
        conn = hello.conn();
        openedAtNanos = loop.timers().nanos();
        writtenAtNanos = openedAtNanos;
        sink.open(Subscriber.TURN_BYTES_MAX, drained, this::forget);
        write(dialect.greeting(hello));
    }

    /** Notes that so many bytes of events go to the sink. */
    void writes(int bytes) {
        writtenAtNanos = loop.timers().nanos();
        loop.counters().bytes += bytes;
    }

    private void write(Buffer words) {
        if (!ended && words != null && words.length() > 0) {
            writes(words.length());
            sink.write(words);
        }
    }

    /**
     * Sends the number of events that the cap has left out: at once, or within a second after the last such number. To
     * a full socket it goes with the next beat.
     */
    void sendLimit() {
        if (rateCap == null || ended || sink.isFull()) {
            return;
        }
        write(rateCap.notice(loop.timers().nanos()));
        if (rateCap.owes() && !limitDue) {
            limitDue = true;
            loop.timers().after(RateCap.NOTICE_EVERY_MILLIS, () -> {
                limitDue = false;
                sendLimitOrFail();
            });
        }
    }

    private void sendLimitOrFail() {
        try {
            sendLimit();
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
        }
    }

    /** Warns a reader that is so far behind, when a warning is due. */
    void warn(int percentFull) {
        warnings = warnings == null ? new Warnings() : warnings;
        if (warnings.due(percentFull, loop.timers().nanos())) {
            loop.counters().warnings++;
            write(dialect.warning(percentFull));
        }
    }

    void gap(Gap gap) {
        loop.counters().gaps++;
        Buffer words = dialect.gap(gap);
        if (words != null) {
            write(words);
        } else {
            // The dialect has no words for it: the end makes the client load again what it has missed.
            end(Disconnect.SHED_LOAD).onFailure(gone -> {});
        }
    }

    /** Ends the stream: everything that the client requested has been sent, up to the cursor. */
    void finish(String epoch, long cursor) {
        write(dialect.finished(epoch, cursor));
        end(Disconnect.MESSAGE_LIMIT).onFailure(gone -> {});
    }

    /**
     * Keeps a silent stream open, sends what its cap has left out, and ends a stream whose reader does not read; see
     * {@link Heartbeats.Pulse#beat}.
     *
     * @param cursor seq up to which the stream has looked at everything
     * @param farBehind whether the next event has left the memory of this process
     */
    long beat(long nanos, long silenceMax, String epoch, long cursor, boolean farBehind) {
        if (!ended) {
            judge(nanos, farBehind);
        }
        if (ended) {
            return 0;
        }
        if (!sink.isFull()) {
            sendLimit();
            if (nanos - writtenAtNanos >= silenceMax) {
                write(loop.heartbeats().words(dialect, epoch, cursor));
                // Where the dialect has no words, what carries the stream keeps it open.
                writtenAtNanos = nanos;
            }
        }
        boolean watched = slowReaderDetector != null || rateCap != null || sink.isFull();
        return watched ? silenceMax / WATCHES : silenceMax - (nanos - writtenAtNanos);
    }

    /** Only while something waits for its socket is there anything to judge. */
    private void judge(long nanos, boolean farBehind) {
        long waiting = sink.waiting();
        if (waiting == 0) {
            slowReaderDetector = null;
            return;
        }
        if (slowReaderDetector == null) {
            slowReaderDetector = new SlowReaderDetector(loop.settings(), nanos, sink.taken());
        }
        switch (slowReaderDetector.judge(nanos, sink.taken(), waiting, farBehind)) {
            case DEAD -> cut(Disconnect.STALL);
            case TOO_SLOW -> evict(Disconnect.STALL);
            case READS -> {}
        }
    }

    private void cut(Disconnect why) {
        loop.counters().ended(why);
        forget();
        sink.abort();
    }

    /** Ends this stream, and nothing else: the server has failed on it. Its client comes back with its cursor. */
    @Override
    public void fail(Throwable cause) {
        loop.failures().add(Failures.Scope.STREAM, cause);
        evict(Disconnect.STREAM_EXCEPTION);
    }

    /** Waits a moment at most for its last words to be sent. */
    @Override
    public void evict(Disconnect why) {
        if (ended) {
            return;
        }
        try {
            if (sink.isFull()) {
                // Last words would come behind what waits, when it is read.
                cut(why);
            } else {
                end(why).timeout(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS).onFailure(unread -> sink.abort());
            }
        } catch (RuntimeException | StackOverflowError e) {
            // It ends all the same, without a word.
            loop.failures().add(Failures.Scope.STREAM, e);
            forget();
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
        loop.counters().ended(why);
        // A full socket would hold the last words back for as long as its reader stalls; such a stream just ends.
        if (!sink.isFull()) {
            write(rateCap == null ? null : rateCap.lastNotice(loop.timers().nanos()));
            write(dialect.disconnect(why, name, loop.delay().millis(why)));
        }
        forget();
        return sink.end(why);
    }

    /** It has ended, and what {@link #whenEnded} asks for has run. */
    abstract void left();

    /** The connection is gone, or about to end: nothing is written any more. Doing it twice is harmless. */
    private void forget() {
        if (!ended) {
            ended = true;
            loop.counters().closed(name, dialect);
            atEnd.run();
            atEnd = () -> {};
            left();
        }
    }

    @Override
    public void whenEnded(Runnable run) {
        if (ended) {
            run.run();
        } else {
            Runnable before = atEnd;
            atEnd = () -> {
                before.run();
                loop.timers().guarded(run);
            };
        }
    }

    @Override
    public boolean ended() {
        return ended;
    }

    /** Sets the owner, for the operator; without this call there is none. */
    public void belongsTo(long listener) {
        account = listener;
    }

    /** Name of the connection, as its hello says. */
    public String conn() {
        return conn;
    }

    /**
     * How it is at the moment.
     *
     * @param filter what it wants, in numbers
     * @param behind events that are known here and that it has not looked at yet
     */
    StreamRow row(String filter, long behind) {
        long now = loop.timers().nanos();
        return new StreamRow(
                conn,
                account,
                name,
                dialect.name().toLowerCase(Locale.ROOT),
                filter,
                Math.max(0, behind),
                sink.taken(),
                sink.waiting(),
                TimeUnit.NANOSECONDS.toMillis(now - openedAtNanos),
                TimeUnit.NANOSECONDS.toMillis(now - writtenAtNanos));
    }
}
