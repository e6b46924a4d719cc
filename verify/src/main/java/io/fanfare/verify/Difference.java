package io.fanfare.verify;

import io.fanfare.common.id.Id;
import java.util.Locale;
import java.util.Set;

/**
 * One thing in Redis that is not as docs/feeds.md and docs/redis.md say. Immutable.
 *
 * @param account the account, or the status, at which it was found; 0 = none
 * @param other the account or status at the other end of an edge, or what is listed; 0 = none
 * @param near edge id that the deciding side says; 0 = none
 * @param far edge id that the far side says; 0 = none
 * @param name distinguishes differences with equal ids: a counter, a key; may hold control characters of a foreign key
 * @param detail a sentence with the values that were seen
 */
public record Difference(Kind kind, long account, long other, long near, long far, String name, String detail) {
    /** Kinds of differences. */
    public enum Kind {
        /** A counter, the newest post, the outbox or the dial of an account is not what its sets say. */
        ACCOUNT_LISTS(false, ""),
        /** A profile or an index of reposts lists what is gone, or a living status is not listed. */
        LISTING(false, "two living reposts of one original: delete one of them"),
        /** A counter of a status is not the size of its set. */
        STATUS_COUNTER(false, ""),
        /** The counted votes of a poll are not those of its voters. */
        POLL(false, ""),
        /** The counter of living statuses of a shard is not the sum of its accounts' profiles. */
        SHARD_COUNTER(false, ""),
        /** The two sides of a follow disagree, or the end of a living one is remembered. */
        FOLLOW(true, ""),
        /** Somebody follows an account across a block. */
        FOLLOW_ACROSS_BLOCK(true, ""),
        /** The two sides of a block disagree. */
        BLOCK(true, ""),
        /** The two sides of a request to follow disagree, or the end of a living one is remembered. */
        REQUEST(true, ""),
        /** Somebody asks to follow an account that is not locked. */
        REQUEST_TO_OPEN(true, ""),
        /** Terms of a follow or a mute that does not exist. */
        TERMS(false, ""),
        /** Somebody is on a list that does not exist, or whose owner does not follow them. */
        LISTED(false, ""),
        /** Something is scheduled, and no job publishes it. */
        SCHEDULED(true, ""),
        /** A post waits for a moderator, or a message about one for its author, and no job looks after it. */
        HELD(true, ""),
        /** A conversation that its account's list does not show as it is. */
        CONVERSATION(false, ""),
        /** A push subscription of an access token that is not good, or one that cannot be read. */
        PUSH(false, ""),
        /** The copy of a role that the answers about its account show is another one. */
        ROLE(false, ""),
        /** The two sides of a like disagree. */
        LIKE(true, ""),
        /** A repost and the list of the original disagree. */
        REPOST(true, ""),
        /** A quote and the list of the original disagree. */
        QUOTE(true, ""),
        /** A comment and the list of the status that it answers disagree. */
        COMMENT(true, ""),
        /** An article and its status, its votes and its voters, or its places in rankings and its votes disagree. */
        ARTICLE(true, ""),
        /** A home that says complete and is not, or that reads cannot understand. */
        HOME(true, ""),
        /** An account whose name does not lead to it; the name of a deleted one could be taken. */
        NAME(false, "the name leads to another account: rename or remove one of the two by hand"),
        /** The erasure of a deleted account stands still: no job goes on with it. */
        ERASURE(true, ""),
        /** A key of an account or status that does not exist. */
        ORPHAN(
                false,
                "restore what it belongs to from a backup, or delete the key with redis-cli once nobody needs it"),
        /** A key that Fanfare does not spell. */
        UNKNOWN_KEY(false, "find out who writes it; give other programs a Redis of their own, or delete the key"),
        /** A row of the archive and Redis disagree, or the counted rows of an author are not those that there are. */
        ARCHIVE(
                false,
                "look at the status in Redis and at its row in the database; restore both from one backup if they are many"),
        /** A batch of jobs without a lease: no worker finds it. */
        LOST_BATCH(false, ""),
        /** A key of an account that has another type than it must have. */
        BROKEN(false, "look at the key with redis-cli TYPE; restore it from a backup, or delete it");

        private final boolean byJobs;
        private final String remedy;

        Kind(boolean byJobs, String remedy) {
            this.byJobs = byJobs;
            this.remedy = remedy;
        }

        /** Its name for programs, in lower case with underscores. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The advice when a difference cannot be repaired; empty = it always can. */
        public String remedy() {
            return remedy;
        }

        /** Whether a job that waits or runs may explain it. */
        boolean byJobs() {
            return byJobs;
        }
    }

    /** The same thing at two looks, whatever its values were. */
    record Identity(Kind kind, long account, long other, long near, long far, String name) {}

    Identity identity() {
        return new Identity(kind, account, other, near, far, name);
    }

    /** The shards whose jobs may explain it. */
    Set<Integer> shards() {
        return account == 0 || other == 0 || Id.shard(account) == Id.shard(other)
                ? Set.of(Id.shard(account == 0 ? other : account))
                : Set.of(Id.shard(account), Id.shard(other));
    }
}
