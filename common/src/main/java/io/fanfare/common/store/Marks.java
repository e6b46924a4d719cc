package io.fanfare.common.store;

import io.fanfare.common.model.Notification;
import io.vertx.core.Future;

/**
 * The far side of what accounts do to a status or to each other: the set of those who did it, in the slot of the subject, with its counter and the notification to the subject's
 * owner (who shares that slot). The near side, in the slot of the account that does it, decides; the far side follows it, and a job finishes what a crash has cut. An
 * <em>edge</em> is the id that the near side gave to the act: unique and time-ordered.
 */
public class Marks {
    /** What can be done, by what its set counts. */
    public enum Kind {
        FOLLOW,
        BLOCK,
        LIKE,
        REPOST,
        QUOTE,
        COMMENT
    }

    /**
     * Adds the far side of an edge: set, counter and, when it was not there yet, the notification - one script. Keeps the greater edge of a member. Does nothing when
     * {@link #unlink} has ended this edge or a later one, or when the subject is a status that is gone.
     *
     * @param member what the set holds: an account (FOLLOW, BLOCK, LIKE, REPOST) or a status (QUOTE, COMMENT)
     * @param owner the subject's owner: the account itself, or the status's author
     * @param notification to the owner; null = none
     */
    public Future<Void> link(Kind kind, long subject, long owner, long member, long edge, Notification notification) {
        throw new UnsupportedOperationException();
    }

    /** Takes the far side back if it is still this edge, with its notification, and keeps it from coming back. Only for an edge that has ended on the near side. */
    public Future<Void> unlink(Kind kind, long subject, long owner, long member, long edge, Notification notification) {
        throw new UnsupportedOperationException();
    }
}
