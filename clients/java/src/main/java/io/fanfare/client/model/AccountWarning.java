package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * A notice to an account of what a moderator did. A field without a value is null; a list without a value is empty.
 *
 * @param appeal null = none was made
 */
public record AccountWarning(
        String id,
        String action,
        String text,
        List<String> statusIds,
        Account targetAccount,
        Appeal appeal,
        Instant createdAt) {}
