package io.fanfare.common.model;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The subscription of one client of an account, known by its access token, to push messages about notifications. Prints
 * neither the endpoint nor the keys, which let others send to the client.
 *
 * @param id unique among those of the account, and small: some apps read it as a number of 32 bits
 * @param failingSince Unix ms of the first failed push after the last success; 0 = none has failed
 * @param alerts types of notifications, of {@link #ALERTS}
 * @param standard RFC 8291 rather than the draft before it
 * @param sent notifications that were sent while their jobs were put off, the newest first
 * @param sealedToken the access token, see {@code SealedTexts}; empty = not known
 */
public record PushSubscription(
        long id,
        long failingSince,
        Set<String> alerts,
        Policy policy,
        boolean standard,
        List<Long> sent,
        String p256dh,
        String auth,
        String endpoint,
        String sealedToken) {
    /** All types of notifications that Mastodon knows, in the order of answers. */
    public static final List<String> ALERTS = List.of(
            "mention",
            "quote",
            "status",
            "reblog",
            "follow",
            "follow_request",
            "favourite",
            "poll",
            "update",
            "quoted_update",
            "admin.sign_up",
            "admin.report");

    public PushSubscription {
        alerts = Set.copyOf(alerts);
        sent = List.copyOf(sent);
    }

    /** The senders whose notifications are pushed. */
    public enum Policy {
        ALL,
        /** Followees of the account. */
        FOLLOWED,
        /** Followers of the account. */
        FOLLOWER,
        NONE;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }

        /** The one of that name; null when there is none. */
        public static Policy of(String wire) {
            for (Policy policy : values()) {
                if (policy.wire.equals(wire)) {
                    return policy;
                }
            }
            return null;
        }
    }

    /** Whether word of somebody's doings is wanted. */
    public boolean wants(String type, boolean follows, boolean isFollowedBy) {
        return alerts.contains(type)
                && switch (policy) {
                    case ALL -> true;
                    case FOLLOWED -> follows;
                    case FOLLOWER -> isFollowedBy;
                    case NONE -> false;
                };
    }

    @Override
    public String toString() {
        return "PushSubscription[" + id + "]";
    }
}
