package io.fanfare.common.model;

import io.fanfare.common.id.Id;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The notifications that an account wants, by the relationship to their senders. It is applied at each read, and before
 * a stream sends one: dropped ones are shown nowhere, filtered ones only on request, and both appear again when the
 * account accepts them again. An edit of a status that the account has reposted or quoted always notifies, and so do a
 * post of an author to whom it has subscribed, and a warning by a moderator.
 *
 * @param choices by source; sources not listed are accepted, except that limited accounts are filtered
 * @param senders accounts of which everything is accepted, among those that it was read for
 * @param limited accounts that a moderator has limited, among those that it was read for
 */
public record NotificationPolicy(Map<Source, Choice> choices, Set<Long> senders, Set<Long> limited) {
    /** Types that the account has requested itself, by a repost, a quote, a subscription or a vote, and warnings. */
    private static final Set<Notification.Type> ALWAYS = Set.of(
            Notification.Type.UPDATE,
            Notification.Type.QUOTED_UPDATE,
            Notification.Type.STATUS,
            Notification.Type.POLL,
            Notification.Type.MODERATION_WARNING);

    /** For how long an account is new. */
    private static final long NEW_MILLIS = Duration.ofDays(30).toMillis();

    public NotificationPolicy {
        choices = Map.copyOf(choices);
        senders = Set.copyOf(senders);
        limited = Set.copyOf(limited);
    }

    /** Sources of notifications; one may come from several. */
    public enum Source {
        /** Accounts that the account does not follow. */
        NOT_FOLLOWING,
        /** Accounts that do not follow the account. */
        NOT_FOLLOWERS,
        /** Accounts that were less than 30 days old when it happened. */
        NEW_ACCOUNTS,
        /** Direct messages: kept, without effect so far. */
        PRIVATE_MENTIONS,
        /** Accounts that a moderator has limited and that the account does not follow. */
        LIMITED_ACCOUNTS;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in Redis; in answers and requests {@code for_} or {@code filter_} stands before it. */
        public String wire() {
            return wire;
        }
    }

    /**
     * The handling of notifications from a source; with several sources the strictest counts, which is the last here.
     */
    public enum Choice {
        ACCEPT,
        /** They are set aside, as requests. */
        FILTER,
        DROP;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }

        /** The choice of that name; null when there is none. */
        public static Choice of(String wire) {
            for (Choice choice : values()) {
                if (choice.wire.equals(wire)) {
                    return choice;
                }
            }
            return null;
        }
    }

    /** The choice for notifications from a source. */
    public Choice of(Source source) {
        return choices.getOrDefault(source, source == Source.LIMITED_ACCOUNTS ? Choice.FILTER : Choice.ACCEPT);
    }

    /** Whether anything may be set aside. */
    public boolean filters() {
        return choices.containsValue(Choice.FILTER);
    }

    /** The choice for a notification. */
    public Choice of(Notification notification, ViewerRelationships relationships) {
        Choice strictest = Choice.ACCEPT;
        if (ALWAYS.contains(notification.type()) || senders.contains(notification.actorId())) {
            return strictest;
        }
        for (Source source : Source.values()) {
            if (of(source).compareTo(strictest) > 0 && comesFrom(source, notification, relationships)) {
                strictest = of(source);
            }
        }
        return strictest;
    }

    private boolean comesFrom(Source source, Notification notification, ViewerRelationships relationships) {
        long actor = notification.actorId();
        return switch (source) {
            case NOT_FOLLOWING -> !relationships.follows(actor);
            case NOT_FOLLOWERS -> !relationships.isFollowedBy(actor);
            case NEW_ACCOUNTS -> Id.epochMillis(notification.id()) - Id.epochMillis(actor) < NEW_MILLIS;
            case LIMITED_ACCOUNTS -> limited.contains(actor) && !relationships.follows(actor);
            case PRIVATE_MENTIONS -> false;
        };
    }
}
