package io.fanfare.client.model;

import java.time.Instant;

/** A notification. A field without a value is null; a list without a value is empty. */
public record Notification(
        String id,
        String type,
        String groupKey,
        Instant createdAt,
        Account account,
        Status status,
        AccountWarning moderationWarning) {}
