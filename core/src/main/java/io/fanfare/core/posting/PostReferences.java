package io.fanfare.core.posting;

import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.LoopStores;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** Reads the statuses and uploads that a new post refers to. Confined to the event loop of its stores. */
final class PostReferences {
    private final VisibleStatuses visible;
    private final Uploads uploads;
    private final InstantSource clock;

    PostReferences(LoopStores stores) {
        this.visible = new VisibleStatuses(stores.statuses(), stores.accounts(), stores.viewerRelationships());
        this.uploads = new Uploads(stores.redis());
        this.clock = stores.parts().clock();
    }

    /** Fails with a {@link Refusal} when the author may not see one of them, or may not refer to it. */
    Future<References> of(NewPost request) {
        long author = request.author();
        if (request.form() instanceof NewPost.Comment comment) {
            return visible.subject(author, comment.subjectId()).compose(subject -> ofComment(author, comment, subject));
        }
        if (request.form() instanceof NewPost.Plain plain) {
            // A refused post changes no upload: the read of the pictures stores their new descriptions.
            return of(author, plain.inReplyToId(), plain.quotedId())
                    .compose(read -> attachments(author, plain.uploads()).map(read::with));
        }
        return Future.succeededFuture(References.NONE);
    }

    /** The same for a reply or a quote, without pictures. An id of 0 is no reference. */
    Future<References> of(long author, long inReplyToId, long quotedId) {
        if (inReplyToId == 0 && quotedId == 0) {
            return Future.succeededFuture(References.NONE);
        }
        Future<Status> repliedTo = visible.named(author, inReplyToId);
        Future<Status> quoted = visible.quotable(author, quotedId);
        return Future.all(repliedTo, quoted)
                .map(both -> new References(repliedTo.result(), quoted.result(), null, List.of()));
    }

    /** A comment under a status that is read already. */
    Future<References> ofComment(long author, NewPost.Comment comment, Status subject) {
        if (comment.parentId() == 0 || comment.parentId() == subject.id()) {
            return Future.succeededFuture(References.comment(subject, subject));
        }
        return visible.find(author, comment.parentId()).map(parent -> {
            if (!standsUnder(subject, parent)) {
                throw new Refusal(
                        Refusal.Reason.INVALID,
                        "The parent_id is not that of a comment on this status: leave it out, or comment on the other status.");
            }
            return References.comment(subject, parent);
        });
    }

    private static boolean standsUnder(Status status, Status parent) {
        return Stream.of(parent.post().replyTo(), parent.post().root())
                .anyMatch(above -> above != null && above.statusId() == status.id());
    }

    Future<Status> quotable(long author, long id) {
        return visible.quotable(author, id);
    }

    /** The status that a repost passes on. An author may repost a status for the same followers. */
    Future<Status> reposted(long author, long id) {
        return visible.subject(author, id)
                .map(found -> found.authorId() == author && found.visibility() != Visibility.DIRECT
                        ? found
                        : VisibleStatuses.passedOn(found));
    }

    private Future<List<Attachment>> attachments(long author, NewPost.UploadsTaken taken) {
        if (taken.ids().isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return Future.all(taken.descriptions().stream()
                        .map(change -> uploads.describe(author, change.id(), change.text(), change.focus()))
                        .toList())
                .compose(described -> uploads.require(author, taken.ids(), clock.millis()));
    }
}
