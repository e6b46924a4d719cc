package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Decides from the frames of an uploaded file whether its picture may be decoded. Decodes nothing; costs time in
 * proportion to the bytes of the file, and no memory. Immutable.
 */
final class PictureCheck {
    /** A decoder allocates whole rows, and as many of them as it likes. */
    static final int SIDE_MAX = 32_768;

    /** Scans of a JPEG as large as {@code media.pixels-max}; a smaller one may have more. Programs write about ten. */
    static final int SCANS_OF_LARGEST = 12;

    private final long pixelsMax;

    /** @param pixelsMax pixels of a picture that is decoded */
    PictureCheck(long pixelsMax) {
        this.pixelsMax = pixelsMax;
    }

    /**
     * Reads the file once. Fails with {@code Refusal(INVALID)} for a file that is no picture, too large, or broken in
     * its frames, and for one whose picture would cost out of proportion to its bytes.
     *
     * @param cleaned path of the copy without metadata, which is written
     */
    PictureHead check(Path upload, Path cleaned) throws IOException {
        PictureHead head = PictureCopier.copy(upload, cleaned);
        long most = Math.min(pixelsMax, PictureDecoder.pixelsMax(head.format()));
        if (head.pixels() > most) {
            throw invalid("The picture is too large: at most " + most + " pixels, not " + size(head) + ".");
        }
        if (Math.max(head.width(), head.height()) > SIDE_MAX) {
            throw invalid("The picture is too long: at most " + SIDE_MAX + " pixels a side, not " + size(head) + ".");
        }
        if (head.scans() * head.pixels() > SCANS_OF_LARGEST * pixelsMax) {
            throw invalid("The picture of " + size(head) + " pixels is in " + head.scans()
                    + " parts: save it as an ordinary JPEG, or smaller.");
        }
        return head;
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }

    private static String size(PictureHead head) {
        return head.width() + " x " + head.height();
    }
}
