package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.media.ClipLimit;

/**
 * How long the files of a request may be. A video or a sound may be longer than a picture; its first bytes decide which
 * it is.
 *
 * @param pictureBytes of a picture
 * @param clips how long a video or a sound may be; null = none is taken, so that the limit of pictures holds
 */
public record FileLimits(long pictureBytes, ClipLimit clips) {
    /** Files of one request: a profile has two pictures. */
    static final int FILES_MAX = 2;

    /** The limit of all files of a request together; a picture may accompany a video. */
    public long bytesMax() {
        return pictureBytes + Math.max(pictureBytes, clips == null ? 0 : clips.bytesMax());
    }

    /**
     * Refuses a file.
     *
     * @param head its first bytes, {@link ClipLimit#HEAD_BYTES} if there are so many
     * @param received bytes of it by now
     */
    void check(byte[] head, long received) {
        if (clips != null && clips.isFor(head)) {
            clips.check(received);
        } else if (received > pictureBytes) {
            throw new Refusal(Refusal.Reason.TOO_LARGE, "The file is too large: at most " + pictureBytes + " bytes.");
        }
    }
}
