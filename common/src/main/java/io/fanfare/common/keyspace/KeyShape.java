package io.fanfare.common.keyspace;

import io.fanfare.common.id.Id;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a key is, by its spelling: the reverse of {@link Keys}, for those who find keys instead of naming them.
 * Immutable.
 *
 * @param family what the key begins with, without a colon or brace
 * @param owner what kind of thing {@code id} names
 * @param id the account, the status or the shard; 0 when the owner is {@code NONE}
 * @param rest what follows the id, without its colon; empty = nothing
 */
public record KeyShape(String family, Owner owner, long id, String rest) {
    /** Whose key it is. */
    public enum Owner {
        ACCOUNT,
        STATUS,
        SHARD,
        /** The key belongs to the data set, to an app, to a name, or to somebody who tries something. */
        NONE
    }

    private static final Set<String> OF_ACCOUNTS = Set.of(
            "user",
            "following",
            "followers",
            "noreposts",
            "languages",
            "bells",
            "endorsed",
            "requesting",
            "requests",
            "ended-requests",
            "asked",
            "listeners",
            "unlinked",
            "profile",
            "comments-by",
            "outbox",
            "home",
            "favourites",
            "bookmarks",
            "pins",
            "featured-tags",
            "followed-tags",
            "muted-conversations",
            "filters",
            "conversations",
            "conversation-lines",
            "ended-conversations",
            "markers",
            "notification-policy",
            "accepted-senders",
            "unsuggested",
            "lists",
            "listed",
            "notes",
            "reblogged",
            "uploads",
            "media-bytes",
            "scheduled",
            "scheduled-words",
            "blocks",
            "blockedby",
            "ended-blockedby",
            "mutes",
            "mute-ends",
            "heard",
            "notifications",
            "ended-notifications",
            "idem",
            "thawed",
            "push",
            "tokens");

    private static final Set<String> OF_STATUSES = Set.of(
            "status",
            "likes",
            "reposts",
            "quotes",
            "comments",
            "edits",
            "poll-votes",
            "ended-likes",
            "ended-reposts",
            "ended-quotes",
            "ended-comments");

    private static final Set<String> OF_SHARDS = Set.of(
            "homes-built",
            "home-generation",
            "repaired-generation",
            "pulled-authors",
            "master",
            "archived",
            "archive-due",
            "archive-gone",
            "counts",
            "ids",
            "notification-ids",
            "media-due",
            "emojis",
            "timers",
            "queue");

    private static final Set<String> OF_THE_DATA_SET = Set.of(
            Keys.META,
            Keys.WAKE,
            Keys.BUS_SEQ,
            Keys.BUS_EPOCH,
            Keys.BUS_FLOOR,
            Keys.BUS_LOG,
            Keys.BUS_BATCHES,
            Keys.BUS_TOLD_FROM,
            Keys.BUS_MASTER,
            Keys.BUS_REPAIR,
            Keys.PUBLIC,
            Keys.NAMES,
            Keys.TREND_SUSPENDED,
            Keys.TAG_NAMES,
            Keys.TAG_SCORES,
            Keys.TAG_DAYS,
            Keys.ACTIVE_ACCOUNTS,
            Keys.NEW_ACCOUNTS,
            Keys.ARTICLES_BY_SCORE,
            Keys.ARTICLES_BY_TIME,
            Keys.BEST_ARTICLES,
            Keys.ARTICLE_GROUPS,
            Keys.ARTICLE_GROUP_OWNERS,
            Keys.UNCLAIMED_APPS,
            Keys.REPORTS,
            Keys.REPORTERS,
            Keys.REPORTS_OWN,
            Keys.REPORT_COUNTS,
            Keys.LAST_REPORT,
            Keys.SIGN_UP_TIMES,
            Keys.SIGN_UP_NETWORKS,
            Keys.REVOKED);

    private static final Pattern OWNED = Pattern.compile("([a-z-]+):\\{(\\d{1,4})}(?::(\\d{1,16})(?::(.+))?)?");
    private static final Pattern QUEUE =
            Pattern.compile("queue:\\{(\\d{1,4})}:(high|normal|low|suspect|leases|delayed|dead|stats|batch:.+)");
    private static final Pattern OTHER =
            Pattern.compile("(app|apptokens|code|email|limit|login|logins|minutes|tag|tag-day|ticket):.+");
    private static final Pattern ARTICLE = Pattern.compile("\\{articles}:(article|voters|ballots):(\\d{1,16})");
    private static final Pattern GROUP = Pattern.compile("\\{articles}:(score|time):(.+)");
    private static final Pattern TRENDS = Pattern.compile("\\{trends}:tags:-?\\d+");
    private static final Pattern TOLD = Pattern.compile("\\{bus}:(told|notified):-?\\d+");

    /** Every key that an account can have, but those of its requests, which end by themselves. */
    public static List<String> keysOf(long account) {
        return OF_ACCOUNTS.stream()
                .filter(family -> !family.equals("idem"))
                .map(family -> Keys.ofAccount(family, account))
                .sorted()
                .toList();
    }

    /** The shape of a key; empty when {@link Keys} spells none like it. */
    public static Optional<KeyShape> of(String key) {
        if (OF_THE_DATA_SET.contains(key)
                || TOLD.matcher(key).matches()
                || TRENDS.matcher(key).matches()) {
            return Optional.of(new KeyShape(key, Owner.NONE, 0, ""));
        }
        Matcher queue = QUEUE.matcher(key);
        if (queue.matches()) {
            return Optional.of(new KeyShape("queue", Owner.SHARD, Long.parseLong(queue.group(1)), queue.group(2)));
        }
        for (Pattern pattern : List.of(ARTICLE, GROUP)) {
            Matcher article = pattern.matcher(key);
            if (article.matches()) {
                return Optional.of(new KeyShape(article.group(1), Owner.NONE, 0, article.group(2)));
            }
        }
        Matcher other = OTHER.matcher(key);
        if (other.matches()) {
            String family = other.group(1);
            return Optional.of(new KeyShape(family, Owner.NONE, 0, key.substring(family.length() + 1)));
        }
        Matcher owned = OWNED.matcher(key);
        return owned.matches() ? owned(owned) : Optional.empty();
    }

    private static Optional<KeyShape> owned(Matcher key) {
        String family = key.group(1);
        long shard = Long.parseLong(key.group(2));
        String rest = key.group(4) == null ? "" : key.group(4);
        if (key.group(3) == null) {
            return OF_SHARDS.contains(family) && !family.equals("queue")
                    ? Optional.of(new KeyShape(family, Owner.SHARD, shard, rest))
                    : Optional.empty();
        }
        long id = Id.parse(key.group(3));
        if (id < 0 || Id.shard(id) != shard || rest.isEmpty() == family.equals("idem")) {
            return Optional.empty();
        }
        if (OF_ACCOUNTS.contains(family)) {
            return Optional.of(new KeyShape(family, Owner.ACCOUNT, id, rest));
        }
        return OF_STATUSES.contains(family)
                ? Optional.of(new KeyShape(family, Owner.STATUS, id, rest))
                : Optional.empty();
    }
}
