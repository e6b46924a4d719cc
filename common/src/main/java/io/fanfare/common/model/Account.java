package io.fanfare.common.model;

/**
 * A user as others see it. Counters equal the cardinalities of the sets they count.
 *
 * @param lastStatusAt Unix milliseconds of the newest post, 0 when there is none
 */
public record Account(
        long id,
        String username,
        String displayName,
        String note,
        long followersCount,
        long followingCount,
        long statusesCount,
        long lastStatusAt) {}
