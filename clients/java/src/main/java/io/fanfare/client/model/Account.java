package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * An account, as everybody sees it. A field without a value is null; a list without a value is empty.
 *
 * @param locked Whether one has to ask before one follows the account
 * @param hideCollections Whether others find the lists of its follows empty
 * @param limited Whether a moderator has limited the account; null = none has
 */
public record Account(
        String id,
        String username,
        String acct,
        String displayName,
        boolean locked,
        boolean bot,
        boolean discoverable,
        boolean indexable,
        boolean group,
        Instant createdAt,
        String note,
        String url,
        String uri,
        String avatar,
        String avatarStatic,
        String avatarDescription,
        String header,
        String headerStatic,
        String headerDescription,
        long followersCount,
        long followingCount,
        long statusesCount,
        String lastStatusAt,
        boolean hideCollections,
        boolean noindex,
        Boolean limited,
        List<CustomEmoji> emojis,
        List<ProfileField> fields) {}
