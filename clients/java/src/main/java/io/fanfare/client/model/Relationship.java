package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * The relation of the account of the token to another account. A field without a value is null; a list without a value
 * is empty.
 *
 * @param showingReblogs Whether you follow the account and your home shows its reposts
 * @param languages Of which the posts are that your home, your lists and their streams show; null = all
 * @param mutingExpiresAt When the mute ends; null = never
 * @param endorsed Whether you recommend the account on your profile
 * @param note What you have noted about the account
 */
public record Relationship(
        String id,
        boolean following,
        boolean showingReblogs,
        boolean notifying,
        List<String> languages,
        boolean followedBy,
        boolean blocking,
        boolean blockedBy,
        boolean muting,
        boolean mutingNotifications,
        Instant mutingExpiresAt,
        boolean requested,
        boolean requestedBy,
        boolean domainBlocking,
        boolean endorsed,
        String note) {}
