package io.fanfare.core.posting;

import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.LoopStores;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.PostSideEffects;
import io.vertx.core.Future;

/**
 * Deletes single statuses, for their authors and for operators alike. The store's script decides and enqueues the job;
 * what follows it here makes answers show the new counts, and streams and workers quick. All of that may fail: the job
 * does it again. Confined to the event loop of its stores.
 */
public final class StatusDeletion {
    private final Statuses statuses;
    private final PostSideEffects sideEffects;
    private final Announcer announcer;

    public StatusDeletion(LoopStores stores, Announcer announcer) {
        this.statuses = stores.statuses();
        this.sideEffects = stores.sideEffects();
        this.announcer = announcer;
    }

    /**
     * Deletes a status of the author's; fails with {@link Refusal#unknown} when there is none: somebody else's is as
     * unknown as one that does not exist, as in Mastodon. Does not wait for the event.
     *
     * @param keepsPictures whether its pictures can be posted again, see {@link Statuses#delete(long, long, boolean)}
     */
    public Future<Status> byAuthor(long author, long id, boolean keepsPictures) {
        return delete(author, id, keepsPictures).onSuccess(status -> announcer.announce(EventBodies.deleted(status)));
    }

    /** The status, or what is left of it once it is deleted; fails with {@link Refusal#unknown} when there is none. */
    public Future<Status> find(long id) {
        return statuses.find(id)
                .compose(living -> living.isPresent()
                        ? Future.succeededFuture(living.get())
                        : before(id).map(Deleted::status));
    }

    /**
     * A status that is deleted.
     *
     * @param status as it was, or what is left of one that had been deleted before
     * @param changed whether it lived until now
     */
    public record Deleted(Status status, boolean changed) {}

    /**
     * Deletes anybody's status, with its pictures, and waits until its event and its job are under way. Fails with
     * {@link Refusal#unknown} when there is no such status, nor a tombstone.
     */
    public Future<Deleted> byOperator(long id) {
        return statuses.find(id)
                .compose(living -> living.isEmpty()
                        ? before(id)
                        : delete(living.get().authorId(), id, false)
                                .compose(status -> announcer
                                        .announceAndWait(EventBodies.deleted(status))
                                        .map(new Deleted(status, true)))
                                // Its author, or another operator, was faster.
                                .recover(cause -> Refusal.isFor(Refusal.Reason.NOT_FOUND, cause)
                                        ? before(id)
                                        : Future.failedFuture(cause)));
    }

    private Future<Deleted> before(long id) {
        return statuses.findDeleted(id).map(gone -> new Deleted(gone.orElseThrow(Refusal::unknown), false));
    }

    private Future<Status> delete(long author, long id, boolean keepsPictures) {
        return statuses.delete(author, id, keepsPictures)
                .map(deleted -> deleted.orElseThrow(Refusal::unknown))
                .compose(status -> sideEffects.tryToTakeBack(status).map(status));
    }
}
