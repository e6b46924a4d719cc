package io.fanfare.common.media;

/**
 * What was made of an uploaded picture.
 *
 * @param extension of its files, {@code jpg} or {@code png}
 * @param smallWidth of the small size; 0 = there is none
 * @param blurhash a few colours of it as text
 */
public record Rendition(String extension, int width, int height, int smallWidth, int smallHeight, String blurhash) {}
