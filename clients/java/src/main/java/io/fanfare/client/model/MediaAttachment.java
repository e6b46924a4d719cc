package io.fanfare.client.model;

/**
 * A picture, video or sound, of a status or just uploaded. A field without a value is null; a list without a value is
 * empty.
 *
 * @param url Null while an upload is processed
 * @param previewUrl A small picture of it. Null while an upload is processed, and of a video or a sound that has none
 * @param blurhash A few colours of it, see blurha.sh. Null while an upload is processed, and without a preview
 */
public record MediaAttachment(
        String id, String type, String url, String previewUrl, Meta meta, String description, String blurhash) {
    /** Part of {@link MediaAttachment}. */
    public record Meta(
            String length,
            Double duration,
            Long fps,
            String size,
            Long width,
            Long height,
            Double aspect,
            OriginalSize original,
            PictureSize small,
            Focus focus) {}

    /** Part of {@link MediaAttachment}. */
    public record OriginalSize(
            Long width, Long height, String size, Double aspect, String frameRate, Double duration, Long bitrate) {}

    /** Part of {@link MediaAttachment}. */
    public record PictureSize(long width, long height, String size, double aspect) {}

    /** Part of {@link MediaAttachment}. */
    public record Focus(double x, double y) {}
}
