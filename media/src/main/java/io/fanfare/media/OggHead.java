package io.fanfare.media;

import io.fanfare.common.model.ClipFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The first pages of an Ogg file, which name its streams, and the last one, which has its length. */
final class OggHead {
    private static final int PAGE_HEAD = 27;
    private static final int BEGINS = 2;
    private static final int STREAMS_MAX = 8;
    private static final int PACKET_BYTES = 64;

    /** A page has 65307 bytes at most, so that the last one begins in so many. */
    private static final int END_BYTES = 65_536;

    private static final double OPUS_RATE = 48_000;

    private final ClipFile file;
    private int serial;
    private long skipped;
    private double rate;

    private OggHead(ClipFile file) {
        this.file = file;
    }

    static ClipHead read(ClipFile file) throws IOException {
        OggHead head = new OggHead(file);
        head.streams();
        return ClipHead.sound(ClipFormat.OGG, head.seconds());
    }

    private void streams() throws IOException {
        long at = 0;
        for (int stream = 0; stream < STREAMS_MAX; stream++) {
            ByteBuffer page = file.at(at, PAGE_HEAD).order(ByteOrder.LITTLE_ENDIAN);
            if (!ClipFile.is(page, 0, "OggS") || (page.get(5) & BEGINS) == 0) {
                break;
            }
            ByteBuffer segments = file.at(at + PAGE_HEAD, page.get(26) & 0xff);
            long body = at + PAGE_HEAD + segments.limit();
            int length = 0;
            for (int i = 0; i < segments.limit(); i++) {
                length += segments.get(i) & 0xff;
            }
            stream(page.getInt(14), file.upTo(body, Math.min(length, PACKET_BYTES)));
            at = body + length;
        }
        if (rate <= 0) {
            throw ClipHead.broken();
        }
    }

    private void stream(int number, ByteBuffer packet) {
        packet.order(ByteOrder.LITTLE_ENDIAN);
        double found = 0;
        if (ClipFile.is(packet, 0, "OpusHead")) {
            found = OPUS_RATE;
            skipped = packet.getShort(10) & 0xffff;
        } else if (ClipFile.is(packet, 0, "\u0001vorbis")) {
            found = packet.getInt(12);
        } else if (ClipFile.is(packet, 0, "\u007fFLAC") && ClipFile.is(packet, 9, "fLaC")) {
            found = FlacHead.rate(packet, 17);
        } else if (ClipFile.is(packet, 0, "\u0080theora")) {
            throw ClipHead.broken(); // A film that browsers have ceased to play.
        }
        if (found > 0 && rate == 0) {
            rate = found;
            serial = number;
        }
    }

    /** The length by the last page of the stream; 0 = not known. */
    private double seconds() throws IOException {
        int length = (int) Math.min(END_BYTES, file.bytes());
        ByteBuffer end = file.at(file.bytes() - length, length).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = length - PAGE_HEAD; at >= 0; at--) {
            if (end.get(at) == 'O' && ClipFile.is(end, at, "OggS") && end.getInt(at + 14) == serial) {
                long samples = end.getLong(at + 6);
                return samples <= skipped ? 0 : (samples - skipped) / rate;
            }
        }
        return 0;
    }
}
