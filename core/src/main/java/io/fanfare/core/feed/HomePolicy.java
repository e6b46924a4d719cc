package io.fanfare.core.feed;

import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of a reader's home.
 *
 * @param hidden accounts that the reader blocks or mutes, and that block the reader; empty = too many to hold, each
 *     page reads them
 * @param tags hashtags that the reader follows: statuses that their timelines list are shown, by any author
 * @param foldsReposts whether the home leaves out reposts of statuses that it shows close below
 */
public record HomePolicy(
        long reader, FolloweeSet authors, Optional<Set<Long>> hidden, Set<String> tags, boolean foldsReposts) {
    /** One round trip; what it answers goes to {@link #of}. */
    static List<Command> read(long reader) {
        List<Command> commands = new ArrayList<>(
                List.of(Graph.followees(reader), FollowedTags.read(reader), Accounts.readFoldsReposts(reader)));
        commands.addAll(ViewerRelationshipsReader.hidden(reader));
        return commands;
    }

    static HomePolicy of(long reader, List<Reply> replies, ViewerRelationshipsReader viewerRelationships) {
        List<Reply> followed = replies.get(0).items();
        return new HomePolicy(
                reader,
                FolloweeSet.of(
                        reader,
                        followed.get(0).items(),
                        followed.get(1).items(),
                        followed.get(2).items(),
                        followed.get(3).items()),
                viewerRelationships.heldNow(replies.subList(3, replies.size())),
                Set.copyOf(FollowedTags.tags(replies.get(1))),
                Accounts.foldsReposts(replies.get(2)));
    }

    /**
     * Whether it is by somebody whom the reader follows, and has on no exclusive list, and nothing that the reader does
     * not want of that one.
     */
    boolean follows(Status status) {
        return authors.includeInHome(status.authorId())
                && (status.kind() == Post.Kind.REPOST
                        ? authors.includeRepostsOf(status.authorId())
                        : authors.wants(status.authorId(), status.post().spoken()));
    }

    /** Whether the reader follows its author, or it is a public post with a hashtag that the reader follows. */
    boolean wants(Status status) {
        return follows(status) || hasFollowedTag(status);
    }

    private boolean hasFollowedTag(Status status) {
        return !tags.isEmpty()
                && PublicTimelines.listsTagged(status)
                && status.post().content().tags().stream().anyMatch(tags::contains);
    }

    /** The lists in which those public posts stand. */
    List<String> tagTimelines() {
        return tags.isEmpty()
                ? List.of()
                : tags.stream().map(PublicTimelines::key).toList();
    }

    /**
     * Whether it is shown, for viewpoints that hold who is hidden. Followers may see everything, and everybody what is
     * public, so that it is wanted and nobody in it is hidden is all there is to ask.
     */
    boolean shows(Status status) {
        return wants(status) && showsNoneOf(hidden.orElseThrow(), status);
    }

    /** Whether nobody in it is one of these. */
    static boolean showsNoneOf(Set<Long> hidden, Status status) {
        return !hidden.contains(status.authorId())
                && (status.kind() != Post.Kind.REPOST
                        || !hidden.contains(status.post().original().accountId()));
    }
}
