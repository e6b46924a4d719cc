package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * The poll of a status. A field without a value is null; a list without a value is empty.
 *
 * @param voted Whether you have voted; true of your own
 * @param ownVotes The numbers of the options that you have chosen, in the order of your votes
 */
public record Poll(
        String id,
        Instant expiresAt,
        boolean expired,
        boolean multiple,
        long votesCount,
        long votersCount,
        List<Option> options,
        List<CustomEmoji> emojis,
        Boolean voted,
        List<Long> ownVotes) {
    /** Part of {@link Poll}. */
    public record Option(String title, Long votesCount) {}
}
