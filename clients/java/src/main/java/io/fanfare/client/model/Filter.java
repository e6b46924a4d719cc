package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * A filter of the account of the token, with its keywords. A field without a value is null; a list without a value is
 * empty.
 *
 * @param expiresAt From when on it matches nothing; null = never
 * @param filterAction What your client does with a status that matches: shows the title in its place, nothing of it, or
 *     all but its pictures
 */
public record Filter(
        String id,
        String title,
        List<String> context,
        Instant expiresAt,
        String filterAction,
        List<FilterKeyword> keywords,
        List<FilterStatus> statuses) {}
