package io.fanfare.api.media;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.ByteRange;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ImmutableFile;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.post.NewMedia;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Upload;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.view.PublicUrls;
import io.fanfare.common.view.Views;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.StoredFile;
import io.fanfare.server.http.UploadedFile;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Pictures, videos and sounds: uploads that wait to be posted, and the files. */
public final class MediaRoutes {
    /** Redirects to files are cached no longer than this, because the place of a file may change. */
    private static final String AN_HOUR = "public, max-age=3600";

    private final MediaProcessor media;
    private final String elsewhere;
    private final Pictures pictures;
    private final Uploads uploads;
    private final Views views;
    private final InstantSource clock;

    /**
     * @param media null = there are no files here
     * @param elsewhere where readers get files, without a trailing slash; empty = here
     */
    public MediaRoutes(
            MediaProcessor media,
            String elsewhere,
            Pictures pictures,
            Uploads uploads,
            Views views,
            InstantSource clock) {
        this.clock = clock;
        this.media = media;
        this.elsewhere = elsewhere;
        this.pictures = pictures;
        this.uploads = uploads;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v2/media", Access.user("write:media"), this::upload)
                        .within(RateLimit.UPLOADS)
                        .withFiles(),
                post("/api/v1/media", Access.user("write:media"), this::uploadAtOnce)
                        .within(RateLimit.UPLOADS)
                        .withFiles(),
                get("/api/v1/media/:id", Access.user("write:media"), this::show),
                put("/api/v1/media/:id", Access.user("write:media"), this::change)
                        .withPictures(),
                delete("/api/v1/media/:id", Access.user("write:media"), this::remove),
                get(PublicUrls.MEDIA_PATH + ":id", Access.OPEN, this::file).within(RateLimit.NONE));
    }

    /** A large picture is answered before it is made, with 202. */
    private Future<Answer> upload(Call call) {
        return pictures.upload(
                        call, received(call), call.parameters().file("thumbnail"), NewMedia.of(call.parameters()))
                .map(upload -> answer(upload, /* pending= */ 202));
    }

    /** As before there was another way: a client of it does not ask whether a picture is ready. */
    private Future<Answer> uploadAtOnce(Call call) {
        return pictures.attachment(
                        call, received(call), call.parameters().file("thumbnail"), NewMedia.of(call.parameters()))
                .map(this::ready);
    }

    private static UploadedFile received(Call call) {
        UploadedFile file = call.parameters().file("file");
        if (file == null) {
            ValidationErrors errors = new ValidationErrors();
            errors.add(
                    "file",
                    "ERR_BLANK",
                    "must be a picture, video or sound, sent as a part with a file name of multipart/form-data");
            throw errors.refusal();
        }
        return file;
    }

    private Future<Answer> show(Call call) {
        return uploads.find(call.viewer(), call.id()).map(this::answerIfKnown);
    }

    private Future<Answer> change(Call call) {
        NewMedia input = NewMedia.of(call.parameters());
        UploadedFile thumbnail = call.parameters().file("thumbnail");
        return thumbnail == null
                ? describe(call, input)
                : pictures.preview(call, call.id(), thumbnail).compose(done -> {
                    if (!done) {
                        throw Refusal.unknown();
                    }
                    return describe(call, input);
                });
    }

    private Future<Answer> describe(Call call, NewMedia input) {
        return uploads.describe(call.viewer(), call.id(), input.description(), input.focus())
                .map(this::answerIfKnown);
    }

    private Future<Answer> remove(Call call) {
        return uploads.remove(call.viewer(), call.id())
                .compose(removed -> removed ? Future.succeededFuture(Answer.EMPTY_OBJECT) : notThere(call));
    }

    private Future<Answer> notThere(Call call) {
        return uploads.isPosted(call.viewer(), call.id()).map(posted -> {
            if (!posted) {
                throw Refusal.unknown();
            }
            throw new Refusal(
                    Refusal.Reason.INVALID, "Media attachment is currently used by a status: delete the status.");
        });
    }

    private Answer answerIfKnown(Optional<Upload> upload) {
        return answer(upload.orElseThrow(Refusal::unknown), /* pending= */ 206);
    }

    /** @param pending the status while it is being made */
    private Answer answer(Upload upload, int pending) {
        if (upload instanceof Upload.Ready ready) {
            return ready(ready.picture());
        }
        if (upload instanceof Upload.Pending waiting && !waiting.isOverdue(clock.millis())) {
            return Answer.json(json -> views.attachments().pending(json, waiting))
                    .status(pending);
        }
        throw failed(upload instanceof Upload.Failed failed ? failed.cause() : Upload.Cause.LOST);
    }

    private Answer ready(Attachment attachment) {
        return Answer.json(json -> views.attachments().write(json, attachment));
    }

    private static Refusal failed(Upload.Cause cause) {
        return new Refusal(
                Refusal.Reason.INVALID,
                switch (cause) {
                    case BROKEN ->
                        "The picture could not be processed, since it is broken: save it again in a program for pictures, and upload that.";
                    case LOST -> "The picture could not be processed: upload it again.";
                });
    }

    private Future<Answer> file(Call call) {
        String name = call.pathId();
        if (media == null || !MediaName.isName(name)) {
            throw Refusal.unknown();
        }
        return elsewhere.isEmpty()
                ? media.find(name).compose(found -> file(call, name, found.orElseThrow(Refusal::unknown)))
                : Future.succeededFuture(redirect(name));
    }

    /** To the same file in the bucket. */
    private Answer redirect(String name) {
        return Answer.file("text/plain; charset=utf-8", new byte[0])
                .status(302)
                .header("Location", elsewhere + "/" + MediaName.key(name))
                .header("Cache-Control", AN_HOUR)
                .header("Content-Security-Policy", ImmutableFile.POLICY)
                .header("Cross-Origin-Resource-Policy", "cross-origin");
    }

    private static Future<Answer> file(Call call, String name, StoredFile found) {
        String tag = '"' + name + '"';
        if (ImmutableFile.isKnown(call.request().getHeader(HttpHeaders.IF_NONE_MATCH), tag)) {
            return Future.succeededFuture(
                    common(Answer.file(MediaName.type(name), new byte[0]).status(304), tag));
        }
        String condition = call.request().getHeader("If-Range");
        String header =
                condition == null || condition.equals(tag) ? call.request().getHeader("Range") : null;
        ByteRange range = ByteRange.of(header, found.bytes());
        if (range != null && range.length() == 0) {
            return Future.succeededFuture(Answer.json(json -> {
                        json.writeStartObject();
                        json.writeStringField("error", "The file ends before the requested range.");
                        json.writeEndObject();
                    })
                    .status(416)
                    .header("Content-Range", "bytes */" + found.bytes()));
        }
        long from = range == null ? 0 : range.from();
        long length = range == null ? found.bytes() : range.length();
        Future<Optional<StoredFile.Part>> opening = call.request().method().equals(HttpMethod.HEAD)
                ? Future.succeededFuture(Optional.of(StoredFile.unopened(length)))
                : found.open(from, length);
        return opening.map(opened -> {
            Answer whole = Answer.part(MediaName.type(name), opened.orElseThrow(Refusal::unknown));
            Answer part = range == null
                    ? whole
                    : whole.status(206)
                            .header("Content-Range", "bytes " + from + "-" + (from + length - 1) + "/" + found.bytes());
            return common(part, tag);
        });
    }

    private static Answer common(Answer answer, String tag) {
        return ImmutableFile.cached(answer, tag).header("Accept-Ranges", "bytes");
    }
}
