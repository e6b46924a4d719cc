package io.fanfare.common.model;

import java.util.function.LongPredicate;

/**
 * Which statuses a list shows, but for whom its owner blocks or mutes: the one rule of its pages and of its stream.
 *
 * @param listed who is on the list
 * @param followed whom the owner follows
 * @param withoutReposts those of them whose reposts the owner does not want
 * @param speaks those of their languages that the owner wants
 */
public record ListRule(
        long owner,
        UserList.Replies replies,
        LongPredicate listed,
        LongPredicate followed,
        LongPredicate withoutReposts,
        Speaks speaks) {

    /** Which languages of whose posts are wanted. */
    @FunctionalInterface
    public interface Speaks {
        /** Whether a post of an account in this language is; null = it says none. */
        boolean wants(long account, String language);
    }

    /** Whether it shows a status that its author's profile has. */
    public boolean shows(Status status) {
        Reference replyTo = status.post().replyTo();
        return shows(
                status.authorId(),
                status.kind(),
                replyTo == null ? 0 : replyTo.accountId(),
                status.post().spoken());
    }

    /**
     * The same of a status in an event.
     *
     * @param repliedTo account that it answers, 0 = none
     * @param language by which it is judged, see {@link Post#spoken}; null = none
     */
    public boolean shows(long author, Post.Kind kind, long repliedTo, String language) {
        return hasOn(author)
                && switch (kind) {
                    case POST -> showsReply(author, repliedTo) && speaks.wants(author, language);
                    case REPOST -> !withoutReposts.test(author);
                    case COMMENT, DIRECT -> false;
                };
    }

    /** Whether an account is on the list, and its owner follows it still, or is it. */
    public boolean hasOn(long account) {
        return listed.test(account) && (account == owner || followed.test(account));
    }

    private boolean showsReply(long author, long repliedTo) {
        if (repliedTo == 0 || repliedTo == author || repliedTo == owner) {
            return true;
        }
        return switch (replies) {
            case FOLLOWED -> followed.test(repliedTo);
            case LIST -> hasOn(repliedTo);
            case NONE -> false;
        };
    }
}
