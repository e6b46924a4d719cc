package io.fanfare.media;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Upload;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.Uploads.Due;
import io.fanfare.media.MediaProcessor.Made;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the pictures of uploads that are large, whose requests have left that to a job. Any step may be the last, and
 * two runs may overlap: each makes files of names of its own, which are noted as due before they are there, and one
 * script puts the files of one run in the place of the source. What the other run has made goes. Confined to one event
 * loop.
 */
public final class PictureWork {
    private static final Logger LOG = LoggerFactory.getLogger(PictureWork.class);

    /** How a run ends, unless it fails: then another may do better. */
    public enum End {
        /** Nothing is left to do: it is made, cannot be made, or is not there any more. */
        DONE,
        /** This process makes as many as it may. */
        BUSY,
        /** This process has no store of files. */
        ELSEWHERE
    }

    private final MediaProcessor media;
    private final Uploads uploads;

    /** @param media null = this process has no store of files */
    public PictureWork(MediaProcessor media, Uploads uploads) {
        this.media = media;
        this.uploads = uploads;
    }

    /**
     * Keeps an upload that was looked at, and that is used up by it, with the job that makes its picture. The file is
     * noted before it is there, and is there before record and job come: whatever is cut leaves nothing that does not
     * end by itself.
     */
    public Future<Upload.Pending> begin(
            long owner, MediaProcessor.Checked checked, Attachment.Focus focus, String description, int depthMax) {
        Upload.Pending pending = new Upload.Pending(0, media.drawSource(), checked.orientation(), focus, description);
        return uploads.making(owner, pending.source())
                .onFailure(cause -> media.drop(checked).onFailure(PictureWork::leave))
                // A store that has failed may still get the file: then it goes by itself.
                .compose(noted -> media.keep(checked, pending.source()))
                .compose(kept -> uploads.begin(owner, pending, checked.bytes(), depthMax)
                        .recover(cause -> cause instanceof Refusal
                                ? forget(owner, pending).transform(end -> Future.failedFuture(cause))
                                // It may have been done all the same.
                                : Future.failedFuture(cause)));
    }

    private Future<Void> forget(long owner, Upload.Pending pending) {
        return uploads.drop(owner, pending.source())
                .compose(due -> delete(owner, pending.source()))
                .onFailure(PictureWork::leave);
    }

    /**
     * Makes the picture of an upload.
     *
     * @param held completes while this run may change anything
     */
    public Future<End> run(long owner, long id, Supplier<Future<Void>> held) {
        return pending(owner, id).compose(pending -> {
            if (pending.isEmpty()) {
                return Future.succeededFuture(End.DONE);
            }
            if (media == null) {
                return Future.succeededFuture(End.ELSEWHERE);
            }
            Optional<Runnable> turn = media.turn();
            return turn.isEmpty()
                    ? Future.succeededFuture(End.BUSY)
                    // What is thrown before there is a future gives it back, too.
                    : Future.succeededFuture()
                            .compose(mine -> make(owner, pending.get(), held))
                            .map(End.DONE)
                            .onComplete(end -> turn.get().run());
        });
    }

    /** Gives an upload up that nobody could make for too long. */
    public Future<Void> giveUp(long owner, long id) {
        return pending(owner, id)
                .compose(pending ->
                        pending.isEmpty() ? Future.succeededFuture() : fail(owner, pending.get(), Upload.Cause.LOST));
    }

    private Future<Optional<Upload.Pending>> pending(long owner, long id) {
        return uploads.find(owner, id)
                .map(found -> found.filter(Upload.Pending.class::isInstance).map(Upload.Pending.class::cast));
    }

    private Future<Void> make(long owner, Upload.Pending pending, Supplier<Future<Void>> held) {
        return media.make(PictureUse.ATTACHMENT, pending.source(), pending.orientation())
                .transform(made -> {
                    if (made.failed()) {
                        return Refusal.isFor(Refusal.Reason.INVALID, made.cause())
                                ? held.get().compose(yes -> fail(owner, pending, Upload.Cause.BROKEN))
                                : Future.failedFuture(made.cause());
                    }
                    return made.result().isPresent()
                            ? publish(owner, pending, made.result().get(), held)
                            : held.get().compose(yes -> fail(owner, pending, Upload.Cause.LOST));
                });
    }

    private Future<Void> publish(long owner, Upload.Pending pending, Made made, Supplier<Future<Void>> held) {
        return held.get()
                .compose(yes -> uploads.making(owner, made.name()))
                .onFailure(cause -> discard(made))
                .compose(noted -> media.publish(made))
                .compose(there -> held.get())
                // What its owner says of it is in the record.
                .compose(
                        yes -> uploads.made(owner, pending, made.attachment(Attachment.Focus.CENTRE, ""), made.bytes()))
                .compose(taken -> {
                    if (taken) {
                        return delete(owner, pending.source());
                    }
                    // Another run was faster, or the upload is gone.
                    return uploads.drop(owner, made.name()).compose(due -> delete(owner, made.name()));
                });
    }

    private Future<Void> fail(long owner, Upload.Pending pending, Upload.Cause cause) {
        return uploads.fail(owner, pending, cause).compose(failed -> {
            if (!failed) {
                return Future.succeededFuture();
            }
            LOG.info("picture not made account={} upload={} cause={}", owner, pending.id(), cause.wire());
            return media == null ? Future.succeededFuture() : delete(owner, pending.source());
        });
    }

    /** Deletes a file that is due already: the sweep would come again. */
    private Future<Void> delete(long owner, String name) {
        return media.store()
                .delete(name)
                .compose(gone -> uploads.deleted(new Due(Id.shard(owner), name)))
                .recover(cause -> {
                    leave(cause);
                    return Future.succeededFuture();
                });
    }

    private void discard(Made made) {
        media.discard(made).onFailure(PictureWork::leave);
    }

    private static void leave(Throwable cause) {
        LOG.debug("file left to the sweep cause={}", cause.toString());
    }
}
