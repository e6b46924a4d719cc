package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * The properties that make a status an article. A field without a value is null; a list without a value is empty.
 *
 * @param votes That of the author is the first
 * @param score Seconds of publication, and 432 for each vote
 * @param voted Whether you voted; null when you are not logged in, and when the voting is over
 */
public record Article(
        String title, String link, long votes, long score, Boolean voted, Instant votingEndsAt, List<String> groups) {}
