package io.fanfare.common.model;

/** How a viewer stands to another account. */
public enum RelationshipState {
    NONE,
    /** The viewer follows the account. */
    FOLLOWING,
    /** The account follows the viewer. */
    FOLLOWER,
    MUTUAL;

    public static RelationshipState of(boolean following, boolean followedBy) {
        return following ? (followedBy ? MUTUAL : FOLLOWING) : (followedBy ? FOLLOWER : NONE);
    }

    public boolean following() {
        return this == FOLLOWING || this == MUTUAL;
    }

    public boolean followedBy() {
        return this == FOLLOWER || this == MUTUAL;
    }
}
