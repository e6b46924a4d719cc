package io.fanfare.common.model;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How a viewer stands to some accounts, and what of theirs is shown to that viewer. There are two questions: what
 * somebody may see who asks for it by name, and what is shown in lists, where blocks and mutes leave more out. Read by
 * {@code ViewerRelationshipsReader}; for an account that it was not read for, it throws, since a wrong answer would
 * show hidden posts.
 *
 * @param viewer 0 = nobody in particular: sees what is not private
 * @param known the accounts it was read for; all further sets are parts of it
 * @param blockers those who block the viewer
 * @param withoutReposts followed ones whose reposts the viewer does not want in the home
 * @param muted those whose mute has not ended
 * @param muteEnds when mutes end, ms; only of those that are not for good
 * @param notifyingMutes muted ones whose notifications the viewer wants all the same
 */
public record ViewerRelationships(
        long viewer,
        Set<Long> known,
        Set<Long> following,
        Set<Long> withoutReposts,
        Set<Long> followers,
        Set<Long> blocked,
        Set<Long> blockers,
        Set<Long> muted,
        Map<Long, Long> muteEnds,
        Set<Long> notifyingMutes) {
    /** The relationships of an anonymous viewer. */
    public static final ViewerRelationships OF_NOBODY = new ViewerRelationships(
            0, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of(), Set.of());

    /**
     * The accounts that decide who is shown these: their authors, the authors of the statuses that they repost, and
     * those of the statuses that they answer.
     */
    public static Set<Long> people(Collection<Status> statuses) {
        Set<Long> people = new HashSet<>();
        for (Status status : statuses) {
            people.add(status.authorId());
            people.add(sourceId(status));
            people.add(hostId(status));
        }
        return people;
    }

    /** The author whose words a status shows first: its own, or the one of the status that it only reposts. */
    private static long sourceId(Status status) {
        return status.kind() == Post.Kind.REPOST ? status.post().original().accountId() : status.authorId();
    }

    /**
     * For whose followers a private status is: its author's, or, as a comment is for whom the status is that it stands
     * under, those of that one's author.
     */
    public static long hostId(Status status) {
        Post post = status.post();
        if (post.kind() != Post.Kind.COMMENT) {
            return post.authorId();
        }
        return (post.root() == null ? post.replyTo() : post.root()).accountId();
    }

    /**
     * Whether the viewer may see it at all: followers only what is private, those whom it is for what is direct, and
     * nothing of an author who blocks the viewer.
     */
    public boolean maySee(Status status) {
        if (isBlockedBy(status.authorId()) || isBlockedBy(sourceId(status))) {
            return false;
        }
        if (status.visibility() == Visibility.DIRECT) {
            return viewer != 0 && status.post().isFor(viewer);
        }
        return status.visibility() != Visibility.PRIVATE
                || (viewer != 0 && (status.authorId() == viewer || hostId(status) == viewer))
                || in(following, hostId(status));
    }

    /**
     * Whether a list shows it: the viewer may see it and neither blocks nor mutes its author, or the author of what it
     * reposts. Quotes of such authors stay.
     */
    public boolean shows(Status status) {
        return maySee(status) && shows(status.authorId()) && shows(sourceId(status));
    }

    /** Whether a list of accounts shows this one: neither has blocked the other, and it is not muted. */
    public boolean shows(long account) {
        return !blocks(account) && !isBlockedBy(account) && !mutes(account);
    }

    /** Whether the viewer is notified of this account's actions. */
    public boolean notifies(long account) {
        return shows(account) || (in(notifyingMutes, account) && !blocks(account) && !isBlockedBy(account));
    }

    public boolean follows(long account) {
        return in(following, account);
    }

    public boolean isFollowedBy(long account) {
        return in(followers, account);
    }

    public RelationshipState relation(long account) {
        return RelationshipState.of(in(following, account), in(followers, account));
    }

    /** Whether the viewer's home shows what this account reposts. */
    public boolean wantsRepostsOf(long account) {
        return in(following, account) && !withoutReposts.contains(account);
    }

    public boolean blocks(long account) {
        return in(blocked, account);
    }

    public boolean isBlockedBy(long account) {
        return in(blockers, account);
    }

    public boolean mutes(long account) {
        return in(muted, account);
    }

    /** When the mute of an account ends, ms; {@link Long#MAX_VALUE} = never, or it is not muted. */
    public long muteEnd(long account) {
        return mutes(account) ? muteEnds.getOrDefault(account, Long.MAX_VALUE) : Long.MAX_VALUE;
    }

    public boolean mutesNotifications(long account) {
        return mutes(account) && !notifyingMutes.contains(account);
    }

    private boolean in(Set<Long> accounts, long account) {
        if (viewer != 0 && account != viewer && !known.contains(account)) {
            throw new IllegalStateException("not read for account " + account);
        }
        return accounts.contains(account);
    }
}
