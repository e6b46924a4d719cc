package io.fanfare.bench.replay;

import io.fanfare.verify.Report;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The findings of a replay, ready to be printed.
 *
 * @param acknowledged posts that were
 * @param deliveries entries that all homes together were due
 * @param postingNanos from the first post's start to the last answer
 * @param quiet whether quiet came in time
 * @param quietNanos from the first post's start to quiet
 * @param homes how many were compared
 * @param homesBy how they were looked at
 * @param homesRebuilt during the run; empty = could not be seen
 * @param verified what a verification of the whole data set found; empty = its Redis could not be reached
 * @param verifyNanos how long that took
 * @param streamed how many acknowledged posts the stream brought
 * @param retries requests that were repeated, by cause
 * @param abandoned samples of post to last delivery that ended without a figure
 */
record Outcome(
        int acknowledged,
        long deliveries,
        long postingNanos,
        int votes,
        long votingNanos,
        boolean quiet,
        long quietNanos,
        int homes,
        String homesBy,
        OptionalLong homesRebuilt,
        Optional<Report> verified,
        long verifyNanos,
        int streamed,
        long streamReconnects,
        long streamGaps,
        Map<String, Long> retries,
        Latencies latencies,
        long abandoned,
        Differences differences) {
    /** Whether everything is as it must be, and was so in time. */
    boolean isPerfect() {
        return quiet && differences.count() == 0;
    }
}
