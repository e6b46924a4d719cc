package io.fanfare.client.model;

import java.util.List;

/**
 * A hashtag with its use of the last seven days. A field without a value is null; a list without a value is empty.
 *
 * @param id The name, which nothing else has
 * @param history The last seven days (UTC), today first: public posts with the hashtag, and who has written them. A day
 *     counts 10,000 posts at most
 */
public record Tag(String id, String name, String url, List<History> history, Boolean following, Boolean featuring) {
    /** Part of {@link Tag}. */
    public record History(String day, String uses, String accounts) {}
}
