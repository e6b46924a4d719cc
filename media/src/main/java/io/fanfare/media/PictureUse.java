package io.fanfare.media;

import java.awt.Dimension;

/** The purpose of a picture, which decides its sizes. */
public enum PictureUse {
    /** Keeps its shape: at most so many pixels as 3840 x 2160 have, and a small size of as many as 640 x 360. */
    ATTACHMENT,
    /** Cut to a square. */
    AVATAR,
    /** Cut to three by one. */
    HEADER,
    /** Keeps its shape: at most so many pixels as 256 x 256 have, always a PNG. */
    EMOJI,
    /** The small size of another file, in place of the one that was made of it: always a JPEG. */
    PREVIEW,
    /** The same, always a PNG. */
    PREVIEW_PNG;

    private static final int ORIGINAL_PIXELS = 3840 * 2160;
    private static final int SMALL_PIXELS = 640 * 360;
    private static final int EMOJI_PIXELS = 256 * 256;
    private static final Dimension AVATAR_SIZE = new Dimension(400, 400);
    private static final Dimension HEADER_SIZE = new Dimension(1500, 500);

    boolean hasSmall() {
        return this == ATTACHMENT;
    }

    boolean isCut() {
        return this == AVATAR || this == HEADER;
    }

    /** Whether it is a PNG, whatever was uploaded. */
    boolean isPng() {
        return this == EMOJI || this == PREVIEW_PNG;
    }

    /** Whether it is a JPEG, whatever was uploaded. */
    boolean isJpeg() {
        return this == PREVIEW;
    }

    Dimension size(int width, int height) {
        return switch (this) {
            case ATTACHMENT -> within(width, height, ORIGINAL_PIXELS);
            case AVATAR -> AVATAR_SIZE;
            case HEADER -> HEADER_SIZE;
            case EMOJI -> within(width, height, EMOJI_PIXELS);
            case PREVIEW, PREVIEW_PNG -> small(width, height);
        };
    }

    static Dimension small(int width, int height) {
        return within(width, height, SMALL_PIXELS);
    }

    /** The same shape, with at most so many pixels; never larger than it is. */
    private static Dimension within(int width, int height, int pixels) {
        double factor = Math.min(1, Math.sqrt((double) pixels / ((double) width * height)));
        return new Dimension(
                Math.max(1, (int) Math.floor(width * factor)), Math.max(1, (int) Math.floor(height * factor)));
    }
}
