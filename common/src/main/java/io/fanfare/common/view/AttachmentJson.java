package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Clip;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Upload;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The entity MediaAttachment: pictures, videos and sounds. Immutable. */
public final class AttachmentJson {
    private static final double MILLIS = 1000;

    private final PublicUrls urls;

    AttachmentJson(PublicUrls urls) {
        this.urls = urls;
    }

    /** The field {@code media_attachments}. */
    void field(JsonGenerator json, List<Attachment> attachments) throws IOException {
        json.writeArrayFieldStart("media_attachments");
        for (Attachment attachment : attachments) {
            write(json, attachment);
        }
        json.writeEndArray();
    }

    public void write(JsonGenerator json, Attachment attachment) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(attachment.id()));
        json.writeStringField("type", attachment.type());
        json.writeStringField("url", urls.media(attachment.name()));
        json.writeStringField(
                "preview_url", attachment.smallWidth() == 0 ? null : urls.media(MediaName.small(attachment.name())));
        noOtherUrls(json);
        json.writeObjectFieldStart("meta");
        if (attachment.isClip()) {
            clip(json, attachment);
        } else {
            size(json, "original", attachment.width(), attachment.height());
        }
        if (attachment.smallWidth() > 0) {
            size(json, "small", attachment.smallWidth(), attachment.smallHeight());
        }
        focus(json, attachment.focus());
        json.writeEndObject();
        String description = attachment.description();
        json.writeStringField("description", description.isEmpty() ? null : description);
        String blurhash = attachment.blurhash();
        json.writeStringField("blurhash", blurhash.isEmpty() ? null : blurhash);
        json.writeEndObject();
    }

    /** A picture that is not finished: it has no files and sizes yet. */
    public void pending(JsonGenerator json, Upload.Pending upload) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(upload.id()));
        json.writeStringField("type", "image");
        json.writeNullField("url");
        json.writeNullField("preview_url");
        noOtherUrls(json);
        json.writeObjectFieldStart("meta");
        focus(json, upload.focus());
        json.writeEndObject();
        json.writeStringField("description", upload.description().isEmpty() ? null : upload.description());
        json.writeNullField("blurhash");
        json.writeEndObject();
    }

    /** URLs of files on other servers: always null. */
    private static void noOtherUrls(JsonGenerator json) throws IOException {
        json.writeNullField("remote_url");
        json.writeNullField("preview_remote_url");
        json.writeNullField("text_url");
    }

    private static void focus(JsonGenerator json, Attachment.Focus focus) throws IOException {
        json.writeObjectFieldStart("focus");
        json.writeNumberField("x", focus.x());
        json.writeNumberField("y", focus.y());
        json.writeEndObject();
    }

    private static void size(JsonGenerator json, String name, int width, int height) throws IOException {
        json.writeObjectFieldStart(name);
        size(json, width, height);
        json.writeEndObject();
    }

    private static void size(JsonGenerator json, int width, int height) throws IOException {
        json.writeNumberField("width", width);
        json.writeNumberField("height", height);
        json.writeStringField("size", width + "x" + height);
        json.writeNumberField("aspect", (double) width / height);
    }

    /**
     * Lengths and rates of a video or sound: in {@code meta} itself as Mastodon's older clients read them, and in
     * {@code original} as the newer ones do.
     */
    private static void clip(JsonGenerator json, Attachment attachment) throws IOException {
        Clip clip = attachment.clip();
        if (clip.millis() > 0) {
            json.writeStringField("length", length(clip.millis()));
            json.writeNumberField("duration", clip.millis() / MILLIS);
        }
        if (clip.frames() > 0) {
            json.writeNumberField("fps", Math.round(clip.framesPerSecond()));
        }
        if (attachment.width() > 0) {
            size(json, attachment.width(), attachment.height());
        }
        json.writeObjectFieldStart("original");
        if (attachment.width() > 0) {
            size(json, attachment.width(), attachment.height());
        }
        if (clip.frames() > 0) {
            json.writeStringField("frame_rate", clip.frames() + "/" + clip.frameSeconds());
        }
        if (clip.millis() > 0) {
            json.writeNumberField("duration", clip.millis() / MILLIS);
            json.writeNumberField("bitrate", clip.bitsPerSecond());
        }
        json.writeEndObject();
    }

    /** {@code 0:01:28.65}: hours, minutes, seconds. */
    private static String length(long millis) {
        long seconds = millis / 1000;
        return String.format(
                Locale.ROOT, "%d:%02d:%02d.%02d", seconds / 3600, seconds / 60 % 60, seconds % 60, millis % 1000 / 10);
    }
}
