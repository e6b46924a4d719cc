package io.fanfare.client.model;

/**
 * A hashtag on a profile. A field without a value is null; a list without a value is empty.
 *
 * @param statusesCount How many of the newest 200 posts have it: those that are public or unlisted
 * @param lastStatusAt The day (UTC) when the newest of these was made; null = there is none
 */
public record FeaturedTag(String id, String name, String url, String statusesCount, String lastStatusAt) {}
