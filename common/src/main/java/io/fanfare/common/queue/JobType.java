package io.fanfare.common.queue;

import java.util.Locale;

/** The kinds of job, by the name they have on the wire. */
public enum JobType {
    /** See {@link Job.FanOut}; this one and the following have a record of their own in {@link Job}. */
    FAN_OUT(false),
    ANNOUNCE(false),
    DELIVER(false),
    CATCH_UP(false),
    RETRACT(false),
    EDIT(false),
    PUBLISH(false),
    END_POLL(false),
    PUSH(false),
    PICTURE(false),
    /** See {@link Job.Changes}. */
    CHANGES(false),
    /** A like: the status's side, with word to its author. This one and the following are a {@link Job.Repair}. */
    LIKE(true),
    /** The end of a like: the status's side. */
    UNLIKE(true),
    /** A follow: the other side of the edge, the event, and the followee's posts into the follower's home. */
    LINK(true),
    /** An unfollow: the other side of the edge, the event, and the followee's posts out of the follower's home. */
    UNLINK(true),
    /** A block: the blocked one's side, and the end of the blocked one's follow. */
    BLOCK(true),
    /** The end of a block: the blocked one's side. */
    UNBLOCK(true),
    /** The event of a mute. */
    MUTE(true),
    /** The event of the end of a mute. */
    UNMUTE(true),
    /** The event of a change of what a follower wants of a followee; the edge is the id of the change. */
    TERMS(true),
    /** A request to follow: the other side of it, and the follow at once if nobody need ask any more. */
    REQUEST(true),
    /** The end of such a request: the other side. */
    UNREQUEST(true),
    /**
     * The requests of an account that is locked no more, or suspended: they become follows, or end. Actor and object
     * are the account; the edge is where to go on.
     */
    REQUESTS(true),
    /**
     * Other terms of a status's quotes, or of it as a quote: the event, and the quoted status's side. The object is the
     * status, the edge the id of the change.
     */
    QUOTE_TERMS(true),
    /**
     * A part of what a deleted account has goes. Actor and object are the account; the edge is 0, or the id below which
     * its archived statuses are left.
     */
    DELETE_ACCOUNT(true);

    private final boolean repair;
    private final String wire = name().toLowerCase(Locale.ROOT);

    JobType(boolean repair) {
        this.repair = repair;
    }

    /** Whether its jobs are a {@link Job.Repair}. */
    public boolean isRepair() {
        return repair;
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
