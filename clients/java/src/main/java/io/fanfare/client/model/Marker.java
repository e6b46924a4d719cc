package io.fanfare.client.model;

import java.time.Instant;

/** How far an account has read one timeline. A field without a value is null; a list without a value is empty. */
public record Marker(String lastReadId, long version, Instant updatedAt) {}
