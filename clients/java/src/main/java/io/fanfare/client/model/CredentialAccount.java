package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * The account of the token. A field without a value is null; a list without a value is empty.
 *
 * @param locked Whether one has to ask before one follows the account
 * @param hideCollections Whether others find the lists of its follows empty
 * @param limited Whether a moderator has limited the account; null = none has
 */
public record CredentialAccount(
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
        List<ProfileField> fields,
        Source source,
        Role role) {
    /** Part of {@link CredentialAccount}. */
    public record Source(
            String privacy,
            boolean sensitive,
            String language,
            String note,
            List<ProfileField> fields,
            long followRequestsCount,
            String quotePolicy,
            boolean aggregateReblogs,
            boolean hideCollections,
            boolean discoverable,
            boolean indexable,
            List<String> attributionDomains) {}

    /** Part of {@link CredentialAccount}. */
    public record Role(String id, String name, String permissions, String color, boolean highlighted) {}
}
