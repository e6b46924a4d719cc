package io.fanfare.core.graph;

import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.SubjectEdges;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The effects of a status on the statuses it refers to: those it answers list and count it as a comment, the one it
 * shows as a quote or a repost, and their authors are notified. The status itself is the near side and decides; the API
 * updates the far sides at once, so that its answer shows the new counts, and the jobs of the status do it again. Both
 * are idempotent: a status that is deleted does not come back.
 */
public class Backlinks {
    private final SubjectEdges subjectEdges;

    public Backlinks(SubjectEdges subjectEdges) {
        this.subjectEdges = subjectEdges;
    }

    /** One far side of a status; see {@link SubjectEdges#link} for the meaning of each part. */
    public record Backlink(
            SubjectEdges.Kind kind, Reference subject, long member, long edge, Notification notification) {}

    /**
     * The notification to the author of a status that another one refers to.
     *
     * @param notification its id; 0 = there is none
     */
    public record Added(long account, long notification) {}

    /** Whether the status does anything to others. */
    public static boolean has(Status status) {
        return status.post().replyTo() != null
                || status.post().root() != null
                || status.post().original() != null;
    }

    /**
     * Lists a status with every status that it refers to, except one that it may not quote any more, and adds the
     * notifications of their authors. Fails when one of them could not be written; the others may have been.
     */
    public Future<List<Added>> add(Status status) {
        boolean revoked = status.post().quoteTerms().revoked();
        List<Future<Added>> added = of(status).stream()
                .filter(backlink -> backlink.kind() != SubjectEdges.Kind.QUOTE || !revoked)
                .map(this::link)
                .toList();
        return Future.join(added).map(done -> done.list());
    }

    /** Takes back what {@link #add} did. Only for a status that is deleted: what is left of it is enough. */
    public Future<Void> takeBack(Status deleted) {
        return Future.join(of(deleted).stream().map(this::unlink).toList()).mapEmpty();
    }

    /** Takes back what {@link #add} did to the status that this one quotes, whose author revoked the quote. */
    public Future<Void> takeBackQuote(Status revoked) {
        return Future.join(of(revoked).stream()
                        .filter(backlink -> backlink.kind() == SubjectEdges.Kind.QUOTE)
                        .map(this::unlink)
                        .toList())
                .mapEmpty();
    }

    private Future<Added> link(Backlink backlink) {
        Reference subject = backlink.subject();
        return subjectEdges
                .link(
                        backlink.kind(),
                        subject.statusId(),
                        subject.accountId(),
                        backlink.member(),
                        backlink.edge(),
                        backlink.notification())
                .map(linked -> new Added(subject.accountId(), linked.notification()));
    }

    private Future<Void> unlink(Backlink backlink) {
        Reference subject = backlink.subject();
        return subjectEdges.unlink(
                backlink.kind(),
                subject.statusId(),
                subject.accountId(),
                backlink.member(),
                backlink.edge(),
                backlink.notification());
    }

    public static List<Backlink> of(Status status) {
        Post post = status.post();
        List<Backlink> backlinks = new ArrayList<>();
        for (Reference subject : answered(post)) {
            // A direct message tells those whom it is for, and nobody because of what it answers.
            Notification notification = post.kind() == Post.Kind.DIRECT
                    ? null
                    : Notification.of(Notification.Type.MENTION, post.authorId(), status.id());
            backlinks.add(new Backlink(SubjectEdges.Kind.COMMENT, subject, status.id(), status.id(), notification));
        }
        if (post.kind() == Post.Kind.REPOST) {
            Reference original = post.original();
            Notification notification = Notification.of(Notification.Type.REBLOG, post.authorId(), original.statusId());
            backlinks.add(new Backlink(SubjectEdges.Kind.REPOST, original, post.authorId(), status.id(), notification));
        } else if (post.isQuote()) {
            Notification notification = Notification.of(Notification.Type.QUOTE, post.authorId(), status.id());
            backlinks.add(
                    new Backlink(SubjectEdges.Kind.QUOTE, post.original(), status.id(), status.id(), notification));
        }
        return backlinks;
    }

    /** The statuses that list this one among their comments. */
    private static List<Reference> answered(Post post) {
        if (post.kind() == Post.Kind.DIRECT) {
            // What others may see neither counts nor lists it.
            return Stream.ofNullable(post.root()).toList();
        }
        return Stream.of(post.replyTo(), post.root()).filter(Objects::nonNull).toList();
    }
}
