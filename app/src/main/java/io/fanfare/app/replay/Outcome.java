package io.fanfare.app.replay;

import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * What a replay found, ready to be printed.
 *
 * @param homes how many homes were compared
 * @param homesBy how they were looked at
 * @param homesRebuilt during the run; empty = could not be seen
 * @param deliveries entries that all homes together were due
 * @param postingNanos from the first post's start to the last answer
 * @param deliveringNanos from the first post's start to quiet
 * @param abandoned samples of post to last delivery that ended without a figure
 */
record Outcome(
        int posted,
        long deliveries,
        long postingNanos,
        long deliveringNanos,
        boolean quiet,
        int homes,
        String homesBy,
        OptionalLong homesRebuilt,
        long streamed,
        long streamReconnects,
        long streamGaps,
        Map<String, Long> retries,
        Histogram acknowledged,
        Histogram delivered,
        Histogram arrived,
        long abandoned,
        Differences differences) {
    /** Whether everything is as it must be, and was so in time. */
    boolean isPerfect() {
        return quiet && differences.count() == 0;
    }
}
