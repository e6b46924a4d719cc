package io.fanfare.client.model;

/**
 * An access token. A field without a value is null; a list without a value is empty.
 *
 * @param createdAt Seconds since 1970
 */
public record Token(String accessToken, String tokenType, String scope, long createdAt) {}
