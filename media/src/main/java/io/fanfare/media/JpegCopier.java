package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Copies a JPEG without its metadata: of the application segments only those with colours for a decoder are left (JFIF,
 * a colour profile, Adobe's). A file of more than {@link #SCANS_MAX} scans is refused, since each of them makes a
 * decoder go through the whole picture.
 */
final class JpegCopier {
    /** Cameras and programs write one scan, or about ten. */
    private static final int SCANS_MAX = 40;

    /** A decoder of a progressive JPEG keeps two bytes a pixel for each component. */
    private static final int COMPONENTS_MAX = 4;

    /** The first coefficient of each block of 64 pixels takes a bit; twice as many, for odd sizes. */
    private static final int PIXELS_OF_BYTE = 1024;

    private static final int PROFILE_BYTES_MAX = 256 << 10;
    private static final int APP0 = 0xe0;
    private static final int APP1 = 0xe1;
    private static final int APP2 = 0xe2;
    private static final int APP14 = 0xee;
    private static final int APP15 = 0xef;
    private static final int COMMENT = 0xfe;
    private static final int START = 0xd8;
    private static final int END = 0xd9;
    private static final int SCAN = 0xda;

    private final DataInputStream in;
    private final DataOutputStream out;
    private int width;
    private int height;
    private int orientation = 1;
    private int profileBytes;
    private int scans;
    private long data;

    private JpegCopier(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    static PictureHead copy(DataInputStream in, DataOutputStream out) throws IOException {
        return new JpegCopier(in, out).copy();
    }

    private PictureHead copy() throws IOException {
        if (in.readUnsignedByte() != 0xff || in.readUnsignedByte() != START) {
            throw PictureHead.broken();
        }
        marker(START);
        int marker = nextMarker();
        while (marker != END) {
            if (marker == SCAN) {
                if (width == 0) {
                    throw PictureHead.broken();
                }
                marker = scan();
            } else {
                segment(marker);
                marker = nextMarker();
            }
        }
        if (scans == 0) {
            throw PictureHead.broken();
        }
        marker(END);
        PictureHead.checkHolds(data, PIXELS_OF_BYTE, (long) width * height);
        return new PictureHead(PictureFormat.JPEG, width, height, orientation, scans);
    }

    /** Between segments nothing stands but fill bytes. */
    private int nextMarker() throws IOException {
        if (in.readUnsignedByte() != 0xff) {
            throw PictureHead.broken();
        }
        int marker = in.readUnsignedByte();
        while (marker == 0xff) {
            marker = in.readUnsignedByte();
        }
        return marker;
    }

    private void segment(int marker) throws IOException {
        if (marker < 0xc0) {
            throw PictureHead.broken();
        }
        if (marker >= 0xd0 && marker <= 0xd7) {
            return; // A restart outside of a scan means nothing.
        }
        int length = in.readUnsignedShort() - 2;
        if (length < 0) {
            throw PictureHead.broken();
        }
        byte[] body = PictureCopier.readExactly(in, length);
        if (marker == APP1 && orientation == 1) {
            orientation = ExifOrientation.ofApp1(body);
        }
        if (isFrame(marker)) {
            frame(body);
        }
        if (isKept(marker, length)) {
            marker(marker);
            out.writeShort(length + 2);
            out.write(body);
        }
    }

    private boolean isKept(int marker, int length) {
        if (marker == APP2) {
            profileBytes += length;
            return profileBytes <= PROFILE_BYTES_MAX;
        }
        boolean application = marker >= APP0 && marker <= APP15;
        return marker != COMMENT && (!application || marker == APP0 || marker == APP14);
    }

    private static boolean isFrame(int marker) {
        boolean table = marker == 0xc4 || marker == 0xc8 || marker == 0xcc;
        return marker >= 0xc0 && marker <= 0xcf && !table;
    }

    private void frame(byte[] body) {
        if (body.length < 6 || width != 0) {
            throw PictureHead.broken(); // A second frame could be larger than the first.
        }
        height = (body[1] & 0xff) << 8 | (body[2] & 0xff);
        width = (body[3] & 0xff) << 8 | (body[4] & 0xff);
        int components = body[5];
        if (width == 0 || height == 0 || components < 1 || components > COMPONENTS_MAX) {
            throw PictureHead.broken();
        }
    }

    /**
     * Copies the head of a scan and its data, in which FF stands before 00 and restarts alone; answers what follows.
     */
    private int scan() throws IOException {
        scans++;
        if (scans > SCANS_MAX) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "The picture is in more than " + SCANS_MAX + " parts: save it as an ordinary JPEG.");
        }
        int length = in.readUnsignedShort() - 2;
        if (length < 0) {
            throw PictureHead.broken();
        }
        marker(SCAN);
        out.writeShort(length + 2);
        out.write(PictureCopier.readExactly(in, length));
        while (true) {
            int each = in.read();
            if (each < 0) {
                return END; // Cut off in its data: what there is can be seen.
            }
            if (each != 0xff) {
                data++;
                out.write(each);
                continue;
            }
            int next = in.read();
            while (next == 0xff) {
                next = in.read();
            }
            if (next < 0) {
                return END;
            }
            if (next != 0 && (next < 0xd0 || next > 0xd7)) {
                return next;
            }
            data++;
            marker(next);
        }
    }

    private void marker(int marker) throws IOException {
        out.write(0xff);
        out.write(marker);
    }
}
