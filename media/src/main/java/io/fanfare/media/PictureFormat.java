package io.fanfare.media;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The formats that are read, recognised by the first bytes of a file: its name and declared type prove nothing. */
public enum PictureFormat {
    JPEG("image/jpeg"),
    PNG("image/png"),
    GIF("image/gif"),
    WEBP("image/webp");

    /** Bytes that {@link #of} and {@link #isMovie} need. */
    static final int HEAD_BYTES = 16;

    private static final byte[] PNG_HEAD = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    private final String type;

    PictureFormat(String type) {
        this.type = type;
    }

    /** The media type. */
    public String type() {
        return type;
    }

    /** The format of a file with these first bytes; empty = no picture that is read. */
    static Optional<PictureFormat> of(byte[] head) {
        if (starts(head, 0, (byte) 0xff, (byte) 0xd8, (byte) 0xff)) {
            return Optional.of(JPEG);
        }
        if (starts(head, 0, PNG_HEAD)) {
            return Optional.of(PNG);
        }
        if (starts(head, 0, ascii("GIF87a")) || starts(head, 0, ascii("GIF89a"))) {
            return Optional.of(GIF);
        }
        boolean webp = starts(head, 0, ascii("RIFF")) && starts(head, 8, ascii("WEBP"));
        return webp ? Optional.of(WEBP) : Optional.empty();
    }

    /** Whether the file is a video or a sound of a common kind: MP4, WebM, Ogg, MP3, AAC, FLAC, WAV, AVI. */
    static boolean isMovie(byte[] head) {
        boolean riff =
                starts(head, 0, ascii("RIFF")) && (starts(head, 8, ascii("WAVE")) || starts(head, 8, ascii("AVI ")));
        boolean still =
                starts(head, 8, ascii("heic")) || starts(head, 8, ascii("mif1")) || starts(head, 8, ascii("avif"));
        return riff
                || (starts(head, 4, ascii("ftyp")) && !still)
                || starts(head, 0, (byte) 0x1a, (byte) 0x45, (byte) 0xdf, (byte) 0xa3)
                || starts(head, 0, ascii("OggS"))
                || starts(head, 0, ascii("ID3"))
                || isMpegAudio(head)
                || starts(head, 0, ascii("fLaC"));
    }

    /** A frame of MP3 or AAC, whose head begins with eleven ones; the bits of its layer decide which. */
    private static boolean isMpegAudio(byte[] head) {
        boolean frame = starts(head, 0, (byte) 0xff) && head.length > 1 && (head[1] & 0xe0) == 0xe0;
        return frame && ((head[1] & 0x06) == 0x02 || (head[1] & 0xf6) == 0xf0);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean starts(byte[] head, int at, byte... wanted) {
        if (head.length < at + wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (head[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
