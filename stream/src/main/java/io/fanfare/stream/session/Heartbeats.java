package io.fanfare.stream.session;

import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sees after each open stream when it has been silent for {@code stream.heartbeat}, or may have been; sooner when there
 * is more to see than that. In small steps, so that a crowd holds up nobody. Makes the words for silent ones as well.
 * Confined to one event loop.
 */
public final class Heartbeats {
    /** Steps in the time that a stream may be silent. */
    private static final int STEPS = 64;

    private static final long STEP_MILLIS_MIN = 10;

    /** The timer of steps while there are no streams. */
    private static final long NONE = -1;

    /** When it is time for everybody at once, as it is after an event for all, they are seen in so many steps. */
    private static final int CROWD_STEPS = 8;

    /** A connection that is kept open while it is silent. */
    public interface Pulse {
        /**
         * Says something if it has been silent for {@code silenceMax}, and looks after its reader.
         *
         * @return nanoseconds after which this is to be called again: what is left of {@code silenceMax}, or less when
         *     there is something to watch
         */
        long beat(long nanos, long silenceMax);

        boolean ended();

        /** Ends it, since {@link #beat} has thrown. */
        void fail(Throwable cause);
    }

    private final Vertx vertx;
    private final LongSupplier nanos;
    private final Duration silenceMax;
    private final long stepMillis;

    /** Streams by the step in which it is time to see them, round and round. Those that have ended leave then. */
    private final List<ArrayDeque<Pulse>> wheel = new ArrayList<>();

    private int at;

    /** The connections that are due. */
    private final ArrayDeque<Pulse> due = new ArrayDeque<>();

    private int streams;
    private long timer = NONE;
    private boolean closed;

    // Silent streams of one kind stand at the same place.
    private Buffer words;
    private Dialect wordsDialect;
    private String wordsEpoch = "";
    private long wordsCursor;

    /** @param nanos elapsed time */
    Heartbeats(Vertx vertx, LongSupplier nanos, Duration silenceMax) {
        this.vertx = vertx;
        this.nanos = nanos;
        this.silenceMax = silenceMax;
        this.stepMillis = Math.max(STEP_MILLIS_MIN, silenceMax.toMillis() / STEPS);
        for (long millis = 0; millis <= silenceMax.toMillis() + stepMillis; millis += stepMillis) {
            wheel.add(new ArrayDeque<>());
        }
    }

    void close() {
        closed = true;
        stopSteps();
    }

    /** Whether there are no streams, and no steps. */
    boolean rests() {
        return timer == NONE;
    }

    /** Without a stream nothing wakes the event loop. */
    private void stopSteps() {
        vertx.cancelTimer(timer);
        timer = NONE;
    }

    /** From now on the stream is seen after, until it ends. */
    public void add(Pulse stream) {
        streams++;
        if (timer == NONE && !closed) {
            timer = vertx.setPeriodic(stepMillis, tick -> step());
        }
        seeIn(silenceMax.toNanos(), stream);
    }

    private void seeIn(long nanos, Pulse stream) {
        long steps = TimeUnit.NANOSECONDS.toMillis(nanos) / stepMillis + 1;
        // A stream that is long overdue is seen in the next step.
        long ahead = Math.max(1, Math.min(steps, wheel.size() - 1));
        wheel.get((int) ((at + ahead) % wheel.size())).add(stream);
    }

    private void step() {
        at = (at + 1) % wheel.size();
        due.addAll(wheel.get(at));
        wheel.get(at).clear();
        long now = nanos.getAsLong();
        for (int n = Math.min(due.size(), streams / CROWD_STEPS + 1); n > 0; n--) {
            Pulse stream = due.poll();
            long again = beat(stream, now);
            if (stream.ended()) {
                streams--;
            } else {
                seeIn(again, stream);
            }
        }
        if (streams == 0) {
            stopSteps();
        }
    }

    private long beat(Pulse stream, long now) {
        try {
            return stream.beat(now, silenceMax.toNanos());
        } catch (RuntimeException | StackOverflowError e) {
            stream.fail(e);
            return silenceMax.toNanos();
        }
    }

    /** The heartbeat of a silent stream; null = none. Not to be changed. */
    Buffer words(Dialect dialect, String epoch, long cursor) {
        if (cursor != wordsCursor || dialect != wordsDialect || !epoch.equals(wordsEpoch)) {
            words = dialect.heartbeat(epoch, cursor);
            wordsDialect = dialect;
            wordsEpoch = epoch;
            wordsCursor = cursor;
        }
        return words;
    }
}
