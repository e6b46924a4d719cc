package io.fanfare.media;

import io.fanfare.common.model.ClipFormat;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The elements of a WebM file that have its length, its size and its tracks (RFC 8794, RFC 9559). */
final class WebmHead {
    static final int EBML = 0x1a45dfa3;

    private static final long DOC_TYPE = 0x4282;
    private static final long SEGMENT = 0x18538067;
    private static final long INFO = 0x1549a966;
    private static final long TIMESTAMP_SCALE = 0x2ad7b1;
    private static final long DURATION = 0x4489;
    private static final long TRACKS = 0x1654ae6b;
    private static final long TRACK = 0xae;
    private static final long TRACK_TYPE = 0x83;
    private static final long FRAME_NANOS = 0x23e383;
    private static final long VIDEO = 0xe0;
    private static final long PIXEL_WIDTH = 0xb0;
    private static final long PIXEL_HEIGHT = 0xba;
    private static final long CLUSTER = 0x1f43b675;

    private static final int DEPTH_MAX = 4;
    private static final int NUMBER_BYTES_MAX = 8;
    private static final long UNKNOWN = -1;
    private static final int TYPE_VIDEO = 1;
    private static final int TYPE_SOUND = 2;
    private static final double NANOS = 1e9;

    private final ClipFile file;
    private String docType = "";
    private long scale = 1_000_000;
    private double duration;
    private boolean video;
    private boolean sound;
    private long width;
    private long height;
    private long frameNanos;
    private int trackType;
    private boolean over;

    WebmHead(ClipFile file) {
        this.file = file;
    }

    ClipHead read() throws IOException {
        elements(0, file.bytes(), 0);
        if (!docType.equals("webm") || !(video || sound)) {
            throw ClipHead.broken();
        }
        double seconds = duration * scale / NANOS;
        return video
                ? ClipHead.video(ClipFormat.WEBM, seconds, frameNanos > 0 ? NANOS / frameNanos : 0, width, height)
                : ClipHead.sound(ClipFormat.WEBM_SOUND, seconds);
    }

    private void elements(long from, long end, int depth) throws IOException {
        long at = from;
        while (at < end && !over) {
            ByteBuffer head = file.upTo(at, 12);
            int idBytes = Integer.numberOfLeadingZeros(head.get(0) & 0xff) - 23;
            if (idBytes > 4) {
                throw ClipHead.broken();
            }
            long id = number(head, 0, idBytes);
            int lengthBytes = Integer.numberOfLeadingZeros(head.get(idBytes) & 0xff) - 23;
            if (lengthBytes > NUMBER_BYTES_MAX) {
                throw ClipHead.broken();
            }
            long mask = (1L << (7 * lengthBytes)) - 1;
            long length = number(head, idBytes, lengthBytes) & mask;
            long body = at + idBytes + lengthBytes;
            boolean endless = length == mask;
            if (id == CLUSTER) {
                over = true; // The description of the file stands before its data.
                return;
            }
            if ((endless && id != SEGMENT) || (!endless && length > end - body)) {
                throw ClipHead.broken();
            }
            long bodyEnd = endless ? end : body + length;
            element(id, body, bodyEnd, depth);
            at = bodyEnd;
        }
    }

    private void element(long id, long from, long end, int depth) throws IOException {
        if (id == EBML || id == SEGMENT || id == INFO || id == TRACKS || id == TRACK || id == VIDEO) {
            if (depth >= DEPTH_MAX) {
                throw ClipHead.broken();
            }
            if (id == TRACK) {
                trackType = 0;
            }
            elements(from, end, depth + 1);
        } else if (id == DOC_TYPE) {
            int letters = length(from, end);
            docType = ClipFile.text(file.at(from, letters), 0, letters).replace("\0", "");
        } else if (id == TIMESTAMP_SCALE) {
            scale = unsigned(from, end);
        } else if (id == DURATION) {
            duration = real(from, end);
        } else if (id == TRACK_TYPE) {
            trackType = (int) unsigned(from, end);
            video |= trackType == TYPE_VIDEO;
            sound |= trackType == TYPE_SOUND;
        } else if (id == FRAME_NANOS && trackType != TYPE_SOUND && frameNanos == 0) {
            frameNanos = unsigned(from, end);
        } else if (id == PIXEL_WIDTH && width == 0) {
            width = unsigned(from, end);
        } else if (id == PIXEL_HEIGHT && height == 0) {
            height = unsigned(from, end);
        }
    }

    private static int length(long from, long end) {
        if (end - from > NUMBER_BYTES_MAX) {
            throw ClipHead.broken();
        }
        return (int) (end - from);
    }

    private long unsigned(long from, long end) throws IOException {
        int length = length(from, end);
        return Math.max(0, number(file.at(from, length), 0, length));
    }

    private double real(long from, long end) throws IOException {
        ByteBuffer bytes = file.at(from, length(from, end));
        double value = bytes.limit() == 4 ? bytes.getFloat(0) : bytes.limit() == 8 ? bytes.getDouble(0) : UNKNOWN;
        return value > 0 && !Double.isInfinite(value) ? value : 0;
    }

    private static long number(ByteBuffer bytes, int at, int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number = (number << 8) | (bytes.get(at + i) & 0xff);
        }
        return number;
    }
}
