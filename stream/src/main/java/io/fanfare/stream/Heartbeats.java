package io.fanfare.stream;

import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/** Sees after each open stream several times within {@code stream.heartbeat}, in small steps, so that a crowd holds up nobody; and makes the words for silent ones. Confined to one event loop. */
final class Heartbeats {
    /** How often each stream is seen in the time that it may be silent. */
    private static final int LOOKS = 4;

    /** Steps in which everybody is seen once. */
    private static final int STEPS = 8;

    private static final long STEP_MILLIS_MIN = 10;

    private final Vertx vertx;
    private final LongSupplier nanos;
    private final Duration silenceMax;

    /** All streams: whoever was seen longest ago comes first. Those that have ended leave when it is their turn. */
    private final ArrayDeque<Subscriber> streams = new ArrayDeque<>();

    private long timer = -1;

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
    }

    void start() {
        timer = vertx.setPeriodic(Math.max(STEP_MILLIS_MIN, silenceMax.toMillis() / (LOOKS * STEPS)), tick -> step());
    }

    void close() {
        vertx.cancelTimer(timer);
    }

    /** From now on the stream is seen after, until it ends. */
    void add(Subscriber stream) {
        streams.add(stream);
    }

    private void step() {
        long now = nanos.getAsLong();
        for (int n = Math.min(streams.size(), streams.size() / STEPS + 1); n > 0; n--) {
            Subscriber stream = streams.poll();
            stream.beat(now, silenceMax.toNanos());
            if (!stream.ended()) {
                streams.add(stream);
            }
        }
    }

    /** What a silent stream is told; null = nothing. Not to be changed. */
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
