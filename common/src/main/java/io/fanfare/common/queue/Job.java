package io.fanfare.common.queue;

import java.util.Set;

/**
 * A unit of deferred work, as it travels on the queue: ids only, never texts. To add a kind: a record here, a
 * {@link JobType}, a case in {@link JobCodec}, a handler in the worker. Every handler is idempotent: a job runs at
 * least once.
 */
public sealed interface Job {
    JobType type();

    /** The user in whose shard's queue the job waits. */
    long owner();

    /**
     * Puts one status into the homes of its author's followers, from the edge id {@code cursor} (exclusive) on; the
     * first page also makes sure of the event.
     */
    record FanOut(long author, long status, long cursor) implements Job {
        @Override
        public JobType type() {
            return JobType.FAN_OUT;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Makes sure of the event and of the other consequences of a status that is left to the readers who pull its
     * author: a {@link FanOut} without deliveries.
     */
    record Announce(long author, long status) implements Job {
        @Override
        public JobType type() {
            return JobType.ANNOUNCE;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Puts what an author has posted while readers pulled into the homes of the followers, from the edge id
     * {@code cursor} (exclusive) on: the statuses from {@code from} to {@code to} (exclusive), which is the first that
     * is pushed again. Then readers need not pull the author any more.
     */
    record CatchUp(long author, long from, long to, long cursor) implements Job {
        @Override
        public JobType type() {
            return JobType.CATCH_UP;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * What a {@link FanOut} had to leave out of one page, since a part of Redis was away: its followers from the edge
     * id {@code cursor} (exclusive) to {@code last} whose homes are in these shards. That of a first page also settles
     * the other consequences of the status.
     */
    record Deliver(long author, long status, long cursor, long last, Set<Integer> shards) implements Job {
        @Override
        public JobType type() {
            return JobType.DELIVER;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Takes a deleted status out of the followers' homes, from the edge id {@code cursor} (exclusive) on; the first
     * page also makes sure of the event.
     */
    record Retract(long author, long status, long cursor) implements Job {
        @Override
        public JobType type() {
            return JobType.RETRACT;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /** Finishes a like: the status's side, with word to its author. */
    record Like(long account, long status, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.LIKE;
        }

        @Override
        public long owner() {
            return account;
        }
    }

    /** Finishes the end of a like: the status's side. */
    record Unlike(long account, long status, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.UNLIKE;
        }

        @Override
        public long owner() {
            return account;
        }
    }

    /** Finishes a follow: the other side of the edge, the event, and the followee's posts into the follower's home. */
    record Link(long follower, long followee, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.LINK;
        }

        @Override
        public long owner() {
            return follower;
        }
    }

    /**
     * Finishes an unfollow: the other side of the edge, the event, and the followee's posts out of the follower's home.
     */
    record Unlink(long follower, long followee, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.UNLINK;
        }

        @Override
        public long owner() {
            return follower;
        }
    }

    /** Finishes a block: the blocked one's side, and the end of the blocked one's follow. */
    record Block(long blocker, long blocked, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.BLOCK;
        }

        @Override
        public long owner() {
            return blocker;
        }
    }

    /** Finishes the end of a block: the blocked one's side. */
    record Unblock(long blocker, long blocked, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.UNBLOCK;
        }

        @Override
        public long owner() {
            return blocker;
        }
    }

    /** Makes sure of the event of a mute. */
    record Mute(long muter, long muted, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.MUTE;
        }

        @Override
        public long owner() {
            return muter;
        }
    }

    /** Makes sure of the event of the end of a mute. */
    record Unmute(long muter, long muted, long edge) implements Job {
        @Override
        public JobType type() {
            return JobType.UNMUTE;
        }

        @Override
        public long owner() {
            return muter;
        }
    }
}
