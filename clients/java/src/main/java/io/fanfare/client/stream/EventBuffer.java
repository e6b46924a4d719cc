package io.fanfare.client.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Events between the thread that reads and the one that consumes. When it is full, the reading thread waits, and so
 * does the server. Thread-safe.
 */
final class EventBuffer {
    private final int eventsMax;
    private final long charsMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<StreamEvent> events = new ArrayList<>();
    private long chars;
    private Cursor received;
    private Cursor handedOver;
    private boolean ended;
    private RuntimeException failure;

    /** @param charsMax of the data of all events; one event may be larger */
    EventBuffer(int eventsMax, long charsMax, Cursor from) {
        this.eventsMax = eventsMax;
        this.charsMax = charsMax;
        this.received = from;
        this.handedOver = from;
    }

    /** Waits while the buffer is full. */
    void put(StreamEvent event, Cursor after) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            int size = event.json().length();
            while (!ended && !events.isEmpty() && (events.size() >= eventsMax || chars + size > charsMax)) {
                changed.await();
            }
            if (!ended) {
                events.add(event);
                chars += size;
                received = after;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The position moved without an event. */
    void move(Cursor to) {
        lock.lock();
        try {
            received = to;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No more events: the waiting ones are still handed over, then the failure, if any. The first call counts. */
    void end(RuntimeException failureOrNull) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = failureOrNull;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops the waiting events, for a consumer that takes no more. */
    void clear() {
        lock.lock();
        try {
            events = new ArrayList<>();
            handedOver = received;
            failure = null;
            end(null);
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        lock.lock();
        try {
            return ended && events.isEmpty() && failure == null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * All events that wait, with the position after them; empty at the end or after so long.
     *
     * @param atMostOrNull null = waits without a limit
     */
    Optional<Batch> take(Duration atMostOrNull) throws InterruptedException {
        long nanos = atMostOrNull == null ? 0 : atMostOrNull.toNanos();
        lock.lockInterruptibly();
        try {
            while (events.isEmpty() && received.equals(handedOver) && !ended) {
                if (atMostOrNull == null) {
                    changed.await();
                } else if (nanos <= 0) {
                    return Optional.empty();
                } else {
                    nanos = changed.awaitNanos(nanos);
                }
            }
            if (!events.isEmpty() || !received.equals(handedOver)) {
                return Optional.of(batch());
            }
            if (failure != null) {
                throw failure;
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Batch batch() {
        Batch batch = new Batch(events, received);
        events = new ArrayList<>();
        chars = 0;
        handedOver = received;
        changed.signalAll();
        return batch;
    }
}
