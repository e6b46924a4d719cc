package io.fanfare.stream.session;

import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.relay.StreamCounters;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The filters that replace the one of a stream further on in the log: an event is judged by the filter that held when
 * it happened, however late the stream reads it. Releases what was reserved for each filter with the filter. Confined
 * to one event loop.
 */
final class FilterSchedule {
    /** Filters that may wait for their place in the log: each may be long. */
    private static final int CHANGES_MAX = 8;

    private final StreamCounters counters;

    /** For the filter that holds. */
    private FilterBudget.Reservation reservation = FilterBudget.Reservation.NOTHING;

    /** In the order of their places. */
    private final Deque<Change> changes = new ArrayDeque<>(1);

    /**
     * Another filter, from some place on.
     *
     * @param after seq of the last event that the filter before it judges
     * @param reservation for that filter
     */
    private record Change(long after, StreamFilter filter, FilterBudget.Reservation reservation) {}

    FilterSchedule(StreamCounters counters) {
        this.counters = counters;
    }

    /** Seq of the last event that is judged by the filter that holds. */
    long last() {
        return changes.isEmpty() ? Long.MAX_VALUE : changes.peek().after();
    }

    /** Keeps what was reserved for the first filter. */
    void holds(FilterBudget.Reservation reserved) {
        counters.terms += reserved.terms();
        reservation = reserved;
    }

    /**
     * Another filter holds from the event after {@code tip} on, which is the newest so far.
     *
     * @return false, and the filter is not taken, when too many wait already
     */
    boolean change(long tip, StreamFilter other, FilterBudget.Reservation reserved) {
        if (!changes.isEmpty() && changes.peekLast().after() == tip) {
            // Nothing has happened since: that filter will never be called.
            release(changes.removeLast().reservation());
        }
        if (changes.size() == CHANGES_MAX) {
            return false;
        }
        changes.add(new Change(tip, other, reserved));
        counters.terms += reserved.terms();
        return true;
    }

    /** The filter that holds behind that event; null = the one that has held so far. */
    StreamFilter advance(long seq) {
        StreamFilter holds = null;
        while (!changes.isEmpty() && changes.peek().after() <= seq) {
            Change next = changes.poll();
            release(reservation);
            reservation = next.reservation();
            holds = next.filter();
        }
        return holds;
    }

    /** The stream has ended. */
    void releaseAll() {
        release(reservation);
        changes.forEach(change -> release(change.reservation()));
    }

    private void release(FilterBudget.Reservation reserved) {
        counters.terms -= reserved.terms();
        reserved.release();
    }
}
