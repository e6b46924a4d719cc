package io.fanfare.api.routes;

import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.request.NewMedia;
import io.fanfare.common.http.UploadedFile;
import io.fanfare.common.media.MediaProcessor;
import io.fanfare.common.media.MediaProcessor.Made;
import io.fanfare.common.media.PictureUse;
import io.fanfare.common.media.Rendition;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.store.Uploads;
import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes pictures of the files of requests. The record comes before the names of the files, so that a crash in between
 * leaves a record that ends by itself and drafts that are swept, and no file that nothing names.
 */
public final class Pictures {
    private static final Logger LOG = LoggerFactory.getLogger(Pictures.class);

    private final MediaProcessor media;
    private final Uploads uploads;
    private final RateLimits rates;

    /** @param media null = there are no files here, so that none of the methods is called */
    public Pictures(MediaProcessor media, Uploads uploads, RateLimits rates) {
        this.media = media;
        this.uploads = uploads;
        this.rates = rates;
    }

    /** A picture for a status, which is not posted yet. */
    Future<Attachment> attachment(Call call, UploadedFile file, NewMedia said) {
        return make(
                call,
                file,
                PictureUse.ATTACHMENT,
                made -> uploads.add(call.viewer(), picture(made, said)),
                kept -> uploads.remove(call.viewer(), kept.id()));
    }

    /** A picture for a profile: the name of its file, which goes in a day unless the account takes it. */
    Future<String> profile(Call call, UploadedFile file, PictureUse use) {
        return rates.take(call.request(), call.principal(), RateLimit.UPLOADS)
                .compose(counted -> make(
                        call,
                        file,
                        use,
                        made -> uploads.reserve(call.viewer(), made.name()).map(made.name()),
                        // It is due already.
                        Future::succeededFuture));
    }

    /** @param forget ends the record of files that no store has taken: nobody learns of it, and it would be counted */
    private <T> Future<T> make(
            Call call,
            UploadedFile file,
            PictureUse use,
            Function<Made, Future<T>> keep,
            Function<T, Future<?>> forget) {
        return rates.take(call.request(), call.principal(), RateLimit.UPLOAD_BYTES, (int) file.bytes())
                .compose(counted -> media.make(use, file.path()))
                .compose(made -> keep.apply(made)
                        .onFailure(refused -> discard(made))
                        .compose(kept -> media.publish(made).map(kept).recover(cause -> forget.apply(kept)
                                .transform(forgotten -> Future.failedFuture(cause)))));
    }

    private void discard(Made made) {
        media.discard(made).onFailure(cause -> LOG.debug("draft left to the sweep cause={}", cause.toString()));
    }

    private static Attachment picture(Made made, NewMedia said) {
        Rendition rendition = made.rendition();
        return new Attachment(
                0,
                made.name(),
                rendition.width(),
                rendition.height(),
                rendition.smallWidth(),
                rendition.smallHeight(),
                rendition.blurhash(),
                said.focus() == null ? Attachment.Focus.CENTRE : said.focus(),
                said.description() == null ? "" : said.description());
    }
}
