package io.fanfare.media;

/**
 * How long a video or a sound may be.
 *
 * @param bytesMax 0 = none is taken
 */
public record ClipLimit(long bytesMax) {
    /** The first bytes of a file, which identify its format. */
    public static final int HEAD_BYTES = ClipHead.HEAD_BYTES;

    /** Whether a file that begins so is probably a video or a sound. */
    public boolean isFor(byte[] head) {
        return ClipHead.isLikely(head);
    }

    /** Refuses what is longer, and anything where none is taken. */
    public void check(long bytes) {
        if (bytesMax == 0) {
            throw ClipHead.notTaken();
        }
        if (bytes > bytesMax) {
            throw ClipHead.tooLong(bytesMax);
        }
    }
}
