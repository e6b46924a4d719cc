package io.fanfare.bench.replay;

import org.HdrHistogram.Histogram;

/**
 * How long posts took, in nanoseconds from their start. One event loop.
 *
 * @param acknowledged until the answer
 * @param delivered until every follower's home was seen to hold it, see {@link DeliveryProbe}
 * @param arrived until the firehose brought it
 */
record Latencies(Histogram acknowledged, Histogram delivered, Histogram arrived) {
    private static final int DIGITS = 3;

    static Latencies empty() {
        return new Latencies(new Histogram(DIGITS), new Histogram(DIGITS), new Histogram(DIGITS));
    }

    /** Takes the times of acknowledged posts from the ledger and of those that came from the firehose. */
    void fill(Ledger ledger, Firehose firehose) {
        for (int post = 0; post < ledger.posts(); post++) {
            long id = ledger.id(post);
            if (id != 0) {
                acknowledged.recordValue(ledger.acknowledgedAfterNanos(post));
            }
            if (id != 0 && firehose.arrivedNanos(id) != 0) {
                // The event may overtake the answer, never the start.
                arrived.recordValue(firehose.arrivedNanos(id) - ledger.startedNanos(post));
            }
        }
    }
}
