package io.fanfare.api.media;

import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.post.NewMedia;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Upload;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.post.Announcer;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaProcessor.Checked;
import io.fanfare.media.MediaProcessor.Made;
import io.fanfare.media.PictureUse;
import io.fanfare.media.PictureWork;
import io.fanfare.server.http.UploadedFile;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes pictures, videos and sounds of the files of requests. The record comes before the names of the files, so that a
 * crash in between leaves a record that ends by itself and drafts that are swept, and no file that nothing names.
 */
public final class Pictures {
    private static final Logger LOG = LoggerFactory.getLogger(Pictures.class);

    private static final long MEGAPIXEL = 1_000_000;

    private final MediaProcessor media;
    private final Uploads uploads;
    private final RateLimits rates;
    private final PictureWork work;
    private final Announcer announcer;
    private final Settings settings;

    /** @param media null = there are no files here, so that none of the methods is called */
    public Pictures(MediaProcessor media, Uploads uploads, RateLimits rates, Announcer announcer, Settings settings) {
        this.work = new PictureWork(media, uploads);
        this.announcer = announcer;
        this.settings = settings;
        this.media = media;
        this.uploads = uploads;
        this.rates = rates;
    }

    /**
     * A picture, video or sound for a status, which is not posted yet.
     *
     * @param thumbnail the picture of its preview; null = one is made of the file
     */
    Future<Attachment> attachment(Call call, UploadedFile file, UploadedFile thumbnail, NewMedia input) {
        return counted(call, file)
                .compose(counted -> clip(call, file, thumbnail, input))
                .compose(clip -> clip.isPresent()
                        ? Future.succeededFuture(clip.get())
                        : attachment(
                                call,
                                made(call, file, PictureUse.ATTACHMENT).compose(made -> with(call, made, thumbnail)),
                                input));
    }

    /** Empty when it is neither a video nor a sound. */
    private Future<Optional<Attachment>> clip(Call call, UploadedFile file, UploadedFile thumbnail, NewMedia input) {
        return media.makeClip(file.path())
                .compose(made -> made.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : attachment(call, with(call, made.get(), thumbnail), input)
                                .map(Optional::of));
    }

    private Future<Made> with(Call call, Made made, UploadedFile thumbnailOrNull) {
        return thumbnailOrNull == null
                ? Future.succeededFuture(made)
                : preview(call, thumbnailOrNull, made.name())
                        .onFailure(refused -> discard(made))
                        .compose(preview -> media.with(made, preview));
    }

    /** A picture that is to stand for this file in small. */
    private Future<Made> preview(Call call, UploadedFile thumbnail, String name) {
        return counted(call, thumbnail).compose(counted -> made(call, thumbnail, MediaProcessor.previewOf(name)));
    }

    /**
     * Gives an upload another preview, and so another name to its file; false when there is no such upload. Fails with
     * {@code Refusal(INVALID)} for one that is still made.
     */
    Future<Boolean> preview(Call call, long id, UploadedFile thumbnail) {
        long owner = call.viewer();
        return uploads.find(owner, id).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture(false);
            }
            if (!(found.get() instanceof Upload.Ready ready)) {
                return Future.failedFuture(Uploads.unfinished());
            }
            Attachment before = ready.picture();
            return rates.take(call.request(), call.principal(), RateLimit.UPLOADS)
                    .compose(taken -> preview(call, thumbnail, before.name()))
                    .compose(preview -> media.copy(before, preview))
                    .compose(copy ->
                            copy.isPresent() ? replace(owner, before, copy.get()) : Future.succeededFuture(false));
        });
    }

    /** The files are noted before they are there, and there before the record names them. */
    private Future<Boolean> replace(long owner, Attachment before, Made copy) {
        return uploads.making(owner, copy.name())
                .onFailure(cause -> discard(copy))
                .compose(noted -> media.publish(copy))
                .compose(there -> uploads.replace(owner, before, copy.attachment(before.focus(), ""), copy.bytes()))
                .compose(replaced -> replaced
                        ? Future.succeededFuture(true)
                        // Another request was faster, or the upload is gone.
                        : uploads.drop(owner, copy.name()).map(false));
    }

    private Future<Attachment> attachment(Call call, Future<Made> making, NewMedia input) {
        return keep(
                making,
                made -> uploads.add(call.viewer(), made.attachment(focus(input), description(input)), made.bytes()),
                kept -> uploads.remove(call.viewer(), kept.id()));
    }

    /** The same, but a large one without a thumbnail is left to a job when it has been looked at. */
    Future<Upload> upload(Call call, UploadedFile file, UploadedFile thumbnail, NewMedia input) {
        if (thumbnail != null) {
            return attachment(call, file, thumbnail, input).map(Upload.Ready::new);
        }
        return counted(call, file)
                .compose(counted -> clip(call, file, /* thumbnail= */ null, input))
                .compose(clip -> clip.isPresent()
                        ? Future.succeededFuture(new Upload.Ready(clip.get()))
                        : picture(call, file, input));
    }

    private Future<Upload> picture(Call call, UploadedFile file, NewMedia input) {
        return checked(call, file)
                .compose(checked -> checked.cost() <= settings.media().atOncePixels()
                        ? attachment(call, media.make(call.viewer(), PictureUse.ATTACHMENT, checked), input)
                                .map(Upload.Ready::new)
                        : work.begin(
                                        call.viewer(),
                                        checked,
                                        focus(input),
                                        description(input),
                                        settings.queue().depthMax())
                                .onSuccess(begun -> announcer.wake(call.viewer()))
                                .map(begun -> begun));
    }

    /** A picture for a profile: the name of its file, which goes in a day unless the account takes it. */
    public Future<String> profile(Call call, UploadedFile file, PictureUse use) {
        return rates.take(call.request(), call.principal(), RateLimit.UPLOADS)
                .compose(counted -> counted(call, file))
                .compose(counted -> keep(
                        made(call, file, use),
                        made -> uploads.reserve(call.viewer(), made.name()).map(made.name()),
                        // It is due already.
                        Future::succeededFuture));
    }

    private Future<Made> made(Call call, UploadedFile file, PictureUse use) {
        return checked(call, file).compose(checked -> media.make(call.viewer(), use, checked));
    }

    /** Checks the file, and counts what its picture costs before anything is decoded. */
    private Future<Checked> checked(Call call, UploadedFile file) {
        return media.check(file.path()).compose(checked -> rates.take(
                        call.request(), call.principal(), RateLimit.UPLOAD_MEGAPIXELS, megapixels(checked))
                .transform(taken -> taken.succeeded()
                        ? Future.succeededFuture(checked)
                        : media.drop(checked).transform(dropped -> Future.failedFuture(taken.cause()))));
    }

    /** Rounded up. */
    private static int megapixels(Checked checked) {
        return (int) ((checked.cost() + MEGAPIXEL - 1) / MEGAPIXEL);
    }

    private Future<Void> counted(Call call, UploadedFile file) {
        return rates.take(call.request(), call.principal(), RateLimit.UPLOAD_BYTES, (int) file.bytes())
                .mapEmpty();
    }

    /** @param forget ends the record of files that no store has taken: nobody learns of it, and it would be counted */
    private <T> Future<T> keep(Future<Made> making, Function<Made, Future<T>> keep, Function<T, Future<?>> forget) {
        return making.compose(
                made -> keep.apply(made).onFailure(refused -> discard(made)).compose(kept -> media.publish(made)
                        .map(kept)
                        .recover(cause -> forget.apply(kept).transform(forgotten -> Future.failedFuture(cause)))));
    }

    private void discard(Made made) {
        media.discard(made).onFailure(Pictures::leave);
    }

    private static void leave(Throwable cause) {
        LOG.debug("left to the sweep cause={}", cause.toString());
    }

    private static Attachment.Focus focus(NewMedia input) {
        return input.focus() == null ? Attachment.Focus.CENTRE : input.focus();
    }

    private static String description(NewMedia input) {
        return input.description() == null ? "" : input.description();
    }
}
