package io.fanfare.bench.scenario;

import io.fanfare.bench.scenario.FailoverLoad.Request;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * The time that a fault took, until the cluster was whole again and no request waited any more. Immutable.
 *
 * @param shards those whose master changed
 * @param beginNanos {@link System#nanoTime} of the fault
 */
record FailoverWindow(Fault fault, Set<Integer> shards, long beginNanos, long endNanos) {
    /** The kinds of faults. */
    enum Fault {
        /** {@code CLUSTER FAILOVER}: the master hands over to its replica. */
        AGREED("by agreement"),
        /** {@code kill -9} of a master whose replica follows. */
        KILLED("kill -9"),
        /** {@code kill -9} of a master whose replica was cut off before. */
        BEHIND("kill -9, behind"),
        /** A replica was elected because its master did not answer in time, on a busy machine. */
        UNINTENDED("not intended"),
        /** Slots of shards move to another master, key by key. */
        MOVED("slots move");

        /** The failovers that are made one after the other. */
        static final List<Fault> IN_TURN = List.of(AGREED, KILLED, BEHIND);

        private final String label;

        Fault(String label) {
            this.label = label;
        }

        /** In the table. */
        String label() {
            return label;
        }

        /** Whether a replica takes over. */
        boolean isFailover() {
            return this != MOVED;
        }

        /** Whether the master ends. */
        boolean kills() {
            return this == KILLED || this == BEHIND;
        }
    }

    boolean contains(Request request) {
        return beginNanos <= request.dueNanos() && request.dueNanos() < endNanos;
    }

    double seconds() {
        return (endNanos - beginNanos) / 1e9;
    }

    /** From when they were due until they were acknowledged, in nanoseconds, of requests that were. */
    static Histogram latencies(List<Request> requests, Predicate<Request> wanted) {
        Histogram latencies = new Histogram(3);
        requests.stream()
                .filter(Request::isAcknowledged)
                .filter(wanted)
                .forEach(request -> latencies.recordValue(Math.max(0, request.answeredNanos() - request.dueNanos())));
        return latencies;
    }

    /** The longest time of this window, in seconds, in which none of these posts was acknowledged. */
    double stoppedSeconds(List<Request> posts) {
        long[] answers = posts.stream()
                .filter(Request::isAcknowledged)
                .mapToLong(Request::answeredNanos)
                .filter(answered -> answered >= beginNanos && answered <= endNanos)
                .sorted()
                .toArray();
        long longest = 0;
        long before = beginNanos;
        for (long answer : answers) {
            longest = Math.max(longest, answer - before);
            before = answer;
        }
        return Math.max(longest, endNanos - before) / 1e9;
    }
}
