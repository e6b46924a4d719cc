package io.fanfare.common.store;

import io.fanfare.common.model.Draft;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whose posts a home shows.
 *
 * @param hidden whom the reader blocks or mutes, and who blocks the reader; empty = too many to hold, each page asks
 */
record Viewpoint(long reader, Authors authors, Optional<Set<Long>> hidden) {
    /** One round trip; what it answers goes to {@link #of}. */
    static List<Command> read(long reader) {
        List<Command> commands = new ArrayList<>(List.of(Graph.followees(reader)));
        commands.addAll(Sights.hidden(reader));
        return commands;
    }

    static Viewpoint of(long reader, List<Reply> replies) {
        List<Reply> followed = replies.get(0).items();
        return new Viewpoint(
                reader,
                Authors.of(reader, followed.get(0).items(), followed.get(1).items()),
                Sights.held(replies.subList(1, replies.size())));
    }

    /** Whether it is by somebody whom the reader follows, and nothing that the reader does not want of that one. */
    boolean follows(Status status) {
        return authors.include(status.authorId())
                && (status.kind() != Draft.Kind.REPOST || authors.includeRepostsOf(status.authorId()));
    }

    /**
     * Whether it is shown, for viewpoints that hold who is hidden. Followers may see everything, so that the author is followed and nobody in it is hidden is all there is to ask.
     */
    boolean shows(Status status) {
        Set<Long> out = hidden.orElseThrow();
        return follows(status)
                && !out.contains(status.authorId())
                && (status.kind() != Draft.Kind.REPOST
                        || !out.contains(status.draft().original().accountId()));
    }
}
