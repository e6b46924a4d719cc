package io.fanfare.client.model;

/**
 * A hashtag on a profile. A field without a value is null; a list without a value is empty.
 *
 * @param statusesCount How many of the newest 200 posts have it: those that are public or unlisted
 * @param lastStatusAt The day (UTC) of the newest of these statuses; null = the account has no such status
 */
public record FeaturedTag(String id, String name, String url, String statusesCount, String lastStatusAt) {}
