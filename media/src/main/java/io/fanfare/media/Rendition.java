package io.fanfare.media;

import io.fanfare.common.model.Clip;

/**
 * The result for an uploaded file.
 *
 * @param extension of its file: of a picture {@code jpg} or {@code png}
 * @param smallWidth of the small size, of a video or sound of its preview; 0 = there is none
 * @param blurhash a few colours of it as text; empty = there is no preview
 * @param clip of a video or sound, which is stored as it was sent; null = a picture
 */
public record Rendition(
        String extension, int width, int height, int smallWidth, int smallHeight, String blurhash, Clip clip) {
    Rendition(String extension, int width, int height, int smallWidth, int smallHeight, String blurhash) {
        this(extension, width, height, smallWidth, smallHeight, blurhash, null);
    }
}
