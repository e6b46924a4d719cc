package io.fanfare.client.stream;

import io.fanfare.client.error.ConnectionException;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.http.Arguments;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An open stream. It reconnects and resumes by itself until it is closed, has ended (after {@code onlyLast}), or the
 * server refuses it for good.
 *
 * <p>Each event is handed over once and in order while the log has it; otherwise a {@link StreamEvent.Gap} says so. A
 * consumer that stores the cursor of each batch in one step with the effects of the batch has each effect exactly once,
 * also when it is killed; one that stores it later has each effect at least once. A new log, after the server has lost
 * its data, may repeat events after its gap.
 *
 * <p>One thread consumes; {@link #close} and {@link #change} are for any thread.
 */
public final class EventStream implements Iterable<Batch>, AutoCloseable {
    private static final long CLOSE_MILLIS_MAX = 10_000;

    private final StreamLoop loop;
    private final EventBuffer buffer;
    private final Consumer<StreamEvent.Gap> onGap;
    private final Thread thread;

    EventStream(StreamLoop loop, EventBuffer buffer, Consumer<StreamEvent.Gap> onGap) {
        this.loop = loop;
        this.buffer = buffer;
        this.onGap = onGap;
        this.thread = new Thread(loop, "fanfare-stream");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits for the next batch; empty at the end.
     *
     * @throws FanfareException when the stream has failed for good, after all batches before
     */
    public Optional<Batch> next() {
        return take(null);
    }

    /** The same for at most so long; empty also when no batch came. */
    public Optional<Batch> next(Duration atMost) {
        return take(Arguments.present(atMost, "the duration"));
    }

    /** Whether all batches were handed over and no more will come. */
    public boolean isEnded() {
        return buffer.isEnded();
    }

    /** How many events came a second time after a reconnect, and were left out. */
    public long repeats() {
        return loop.repeats();
    }

    /** How many connections were opened. */
    public long connections() {
        return loop.connections();
    }

    /**
     * Changes the filter from the next event on, without a reconnect where possible. Events that the server has not
     * sent yet follow the old or the new one.
     *
     * @throws io.fanfare.client.error.ApiException when the server refuses it; then the old one stays
     */
    public void change(Filter filter) {
        loop.change(Arguments.present(filter, "the filter"));
    }

    /** The batches until the end; use one iterator. */
    @Override
    public Iterator<Batch> iterator() {
        return new Iterator<>() {
            private Optional<Batch> ahead = Optional.empty();

            @Override
            public boolean hasNext() {
                if (ahead.isEmpty()) {
                    ahead = EventStream.this.next();
                }
                return ahead.isPresent();
            }

            @Override
            public Batch next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("the stream has ended");
                }
                Batch batch = ahead.orElseThrow();
                ahead = Optional.empty();
                return batch;
            }
        };
    }

    private Optional<Batch> take(Duration atMostOrNull) {
        Optional<Batch> batch;
        try {
            batch = buffer.take(atMostOrNull);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectionException("the consumer of the stream was interrupted", false, e);
        }
        try {
            batch.ifPresent(this::reportGaps);
        } catch (RuntimeException | Error e) {
            // This batch is lost to the consumer, and no later cursor may cover it.
            close();
            throw e;
        }
        return batch;
    }

    private void reportGaps(Batch batch) {
        for (StreamEvent event : batch.events()) {
            if (event instanceof StreamEvent.Gap gap) {
                onGap.accept(gap);
            }
        }
    }

    /**
     * Ends the stream and waits until its thread has ended and its connection is closed, 10 s at most. Batches that
     * were not handed over are dropped; they come again to a stream from the last stored cursor.
     */
    @Override
    public void close() {
        buffer.clear();
        loop.stop();
        thread.interrupt();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_MILLIS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
