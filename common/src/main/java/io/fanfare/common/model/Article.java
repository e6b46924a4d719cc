package io.fanfare.common.model;

import io.fanfare.common.id.Id;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The part of a status that makes it an article, which can be voted on. Its changing numbers are its {@link Standing}.
 *
 * @param title on one line
 * @param link address of a web page, null = none
 * @param groups into which its author put it at its publication, folded
 */
public record Article(String title, String link, List<String> groups) {
    /** Most groups of one article. */
    public static final int GROUPS_MAX = 10;

    /** Seconds that a vote is worth: 200 votes are worth a day. */
    public static final long VOTE_SECONDS = 432;

    /** How long an article can be voted on. */
    public static final Duration VOTING = Duration.ofDays(7);

    /** A deleted article. */
    public static final Article DELETED = new Article("", null, List.of());

    /**
     * How an article stands.
     *
     * @param votes that of its author among them
     * @param voted whether the viewer has voted; empty for an anonymous viewer, and after the voting
     * @param groups that it is in
     */
    public record Standing(long votes, Optional<Boolean> voted, List<String> groups) {
        public Standing {
            groups = List.copyOf(groups);
        }

        /** The same for nobody in particular. */
        public Standing neutral() {
            return new Standing(votes, Optional.empty(), groups);
        }
    }

    public Article {
        groups = List.copyOf(groups);
    }

    /** How it stands when it has just been published: with the vote of its author. */
    public Standing first(Optional<Boolean> voted) {
        return new Standing(1, voted, groups);
    }

    /**
     * The text of the status, so that a reader without support for articles gets all of it: title, link, and the
     * author's words.
     */
    public String text(String words) {
        return title + (link == null ? "" : "\n" + link) + (words.isEmpty() ? "" : "\n\n" + words);
    }

    /** The score of an article: the seconds of its publication and those of its votes. */
    public static long score(long id, long votes) {
        return Id.epochMillis(id) / 1000 + VOTE_SECONDS * votes;
    }

    /** The votes of an article with this score. */
    public static long votes(long id, long score) {
        return (score - score(id, 0)) / VOTE_SECONDS;
    }

    /** When voting on an article ends, in Unix milliseconds. */
    public static long votingEnds(long id) {
        return Id.epochMillis(id) + VOTING.toMillis();
    }
}
