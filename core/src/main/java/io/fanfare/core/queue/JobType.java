package io.fanfare.core.queue;

import com.google.errorprone.annotations.Immutable;
import java.util.Locale;

/**
 * The kinds of job, by the name they have on the wire, each with its {@link RetryClass} and the reader of its fields.
 */
public enum JobType {
    /** See {@link Job.FanOut}; this one and the following have a record of their own in {@link Job}. */
    FAN_OUT(RetryClass.DELIVERY, Job.FanOut::read),
    ANNOUNCE(RetryClass.DELIVERY, Job.Announce::read),
    DELIVER(RetryClass.DELIVERY, Job.Deliver::read),
    CATCH_UP(RetryClass.DELIVERY, Job.CatchUp::read),
    RETRACT(RetryClass.REPAIR, Job.Retract::read),
    EDIT(RetryClass.DELIVERY, Job.Edit::read),
    PUBLISH(RetryClass.REPAIR, Job.Publish::read),
    END_POLL(RetryClass.DELIVERY, Job.EndPoll::read),
    PUSH(RetryClass.EVENT, Job.Push::read),
    PICTURE(RetryClass.DELIVERY, Job.Picture::read),
    MAIL(RetryClass.EVENT, Job.Mail::read),
    /** See {@link Job.Changes}. */
    CHANGES(RetryClass.REPAIR, Job.Changes::read),
    /** A like: the status's side, with word to its author. This one and the following are a {@link Job.Repair}. */
    LIKE(RetryClass.REPAIR),
    /** The end of a like: the status's side. */
    UNLIKE(RetryClass.REPAIR),
    /** A follow: the other side of the edge, the event, and the followee's posts into the follower's home. */
    LINK(RetryClass.REPAIR),
    /** An unfollow: the other side of the edge, the event, and the followee's posts out of the follower's home. */
    UNLINK(RetryClass.REPAIR),
    /** A block: the blocked one's side, and the end of the blocked one's follow. */
    BLOCK(RetryClass.REPAIR),
    /** The end of a block: the blocked one's side. */
    UNBLOCK(RetryClass.REPAIR),
    /** The event of a mute. */
    MUTE(RetryClass.EVENT),
    /** The event of the end of a mute. */
    UNMUTE(RetryClass.EVENT),
    /** The event of a change of what a follower wants of a followee; the edge is the id of the change. */
    TERMS(RetryClass.REPAIR),
    /** A request to follow: the other side of it, and the follow at once if nobody need ask any more. */
    REQUEST(RetryClass.REPAIR),
    /** The end of such a request: the other side. */
    UNREQUEST(RetryClass.REPAIR),
    /**
     * The requests of an account that is locked no more, or suspended: they become follows, or end. Actor and object
     * are the account; the edge is where to go on.
     */
    REQUESTS(RetryClass.REPAIR),
    /**
     * Other terms of a status's quotes, or of it as a quote, or a moderator's mark on it: the event, and the quoted
     * status's side. The object is the status, the edge the id of the change.
     */
    QUOTE_TERMS(RetryClass.REPAIR),
    /**
     * A part of what a deleted account has goes. Actor and object are the account; the edge is 0, or the id below which
     * its archived statuses are left.
     */
    DELETE_ACCOUNT(RetryClass.REPAIR),
    /**
     * A batch of an act on a selection of accounts, or of its undo. The actor is an account whose shard has the job,
     * the object is the number of the selection, and the edge is the place of the batch in it.
     */
    SELECTION(RetryClass.REPAIR),
    /**
     * A post that waits for a moderator, or has ended: its place in the list, its end, the message to its author. Actor
     * and object are the author; the edge is the id of the post.
     */
    HELD(RetryClass.REPAIR);

    @Immutable
    private interface Reader {
        Job read(JobFields fields);
    }

    private final RetryClass retry;
    private final Reader reader;
    private final boolean repair;
    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The jobs have a record of their own. */
    JobType(RetryClass retry, Reader reader) {
        this.retry = retry;
        this.reader = reader;
        this.repair = false;
    }

    /** The jobs are a {@link Job.Repair}. */
    JobType(RetryClass retry) {
        this.retry = retry;
        this.reader = fields -> Job.Repair.read(this, fields);
        this.repair = true;
    }

    /** Whether its jobs are a {@link Job.Repair}. */
    public boolean isRepair() {
        return repair;
    }

    public RetryClass retry() {
        return retry;
    }

    /**
     * The job of this type with these fields.
     *
     * @throws JobFields.Malformed if they are not those of this type
     */
    Job read(JobFields fields) {
        Job job = reader.read(fields);
        fields.end();
        return job;
    }

    public String wire() {
        return wire;
    }

    /** The type of that name; null when this version does not know it. */
    public static JobType of(String wire) {
        for (JobType type : values()) {
            if (type.wire.equals(wire)) {
                return type;
            }
        }
        return null;
    }
}
