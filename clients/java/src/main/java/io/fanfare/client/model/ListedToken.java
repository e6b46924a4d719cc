package io.fanfare.client.model;

import java.time.Instant;

/**
 * An access token in the list of a user, without its secret. A field without a value is null; a list without a value is
 * empty.
 *
 * @param client The name of the application; null when the token was made without one
 * @param browser Of a session of the web pages; null when it is unknown
 * @param system The operating system of that browser
 * @param network From where that session began: the /24 of an IPv4 address, the /48 of an IPv6 address
 * @param lastUsedAt To the hour; null when it is unknown
 * @param current Whether it is the one of this request
 */
public record ListedToken(
        String id,
        String client,
        String scopes,
        Instant createdAt,
        String browser,
        String system,
        String network,
        Instant lastUsedAt,
        boolean current) {}
