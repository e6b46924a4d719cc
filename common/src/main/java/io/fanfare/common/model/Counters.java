package io.fanfare.common.model;

/**
 * How often something was done to a status. Each equals the cardinality of the set it counts.
 *
 * @param reposts plain ones
 * @param comments comments and replies
 */
public record Counters(long likes, long reposts, long quotes, long comments) {
    public static final Counters NONE = new Counters(0, 0, 0, 0);
}
