package io.fanfare.bench.load;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Which streams are read at once, and so tell how long events take: one of so many that were opened one after the
 * other, drawn anew for each round. The others are read in turn, each {@value #SWEEPS_PER_SECOND} times a second, so
 * that thousands of readers take little of the processors that they share with the server. Each of their bytes is
 * looked at, but later; no server can know which are which.
 */
public final class Sample {
    private static final long SWEEPS_PER_SECOND = 2;

    /** Most streams read in one go, so that those of the sample do not wait for long. */
    private static final int GO_MAX = 200;

    private final List<SelectionKey> streams = new ArrayList<>();
    private final int oneIn;
    private final RandomGenerator random;
    private int size;
    private int next;
    private long dueNanos;

    /** {@code oneIn}: 1 = all streams are read at once. */
    Sample(int oneIn, RandomGenerator random) {
        this.oneIn = oneIn;
        this.random = random;
    }

    /** Adds a stream that is read at once until the next {@link #draw}. */
    void add(SelectionKey stream) {
        streams.add(stream);
        size++;
    }

    /** All streams, in the order in which they were opened. */
    List<SelectionKey> streams() {
        return streams;
    }

    /** How many streams are read at once. */
    int size() {
        return size;
    }

    /** Whether there are streams that are to be read in turn. */
    boolean leavesSome() {
        return size < streams.size();
    }

    /** Whether the stream is read at once. */
    static boolean has(SelectionKey stream) {
        return stream.interestOps() != 0;
    }

    /** Draws another sample. */
    void draw(long nowNanos) {
        size = 0;
        for (int first = 0; first < streams.size(); first += oneIn) {
            int until = Math.min(first + oneIn, streams.size());
            int drawn = random.nextInt(first, until);
            for (int i = first; i < until; i++) {
                // Without interest epoll does not know the socket.
                streams.get(i).interestOps(i == drawn ? SelectionKey.OP_READ : 0);
            }
            size++;
        }
        next = 0;
        dueNanos = nowNanos;
    }

    /** The streams outside the sample whose turn has come. */
    List<SelectionKey> due(long nowNanos) {
        long nanosEach = TimeUnit.SECONDS.toNanos(1) / SWEEPS_PER_SECOND / Math.max(1, streams.size());
        List<SelectionKey> due = new ArrayList<>();
        for (int n = 0; n < GO_MAX && dueNanos <= nowNanos; n++) {
            SelectionKey stream = streams.get(next);
            next = (next + 1) % streams.size();
            dueNanos += nanosEach;
            if (!has(stream)) {
                due.add(stream);
            }
        }
        return due;
    }
}
