package io.fanfare.bench.load;

import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * Finds the {@link StampedEvent}s in the bytes of one stream, whatever stands around them (chunks, ids, heartbeats),
 * and looks at few bytes of each: a load generator must be cheaper than the server.
 */
final class StampReader {
    /** After its stamp an event has at least so many bytes more, among which no other begins. */
    private static final int SKIP = StampedEvent.BYTES - StampedEvent.STAMP_END;

    private int toSkip;
    private int digitsLeft;
    private long stamp;

    /** Takes the next bytes of the stream; {@code stamps} gets the stamp of each event, once all of it is here. */
    void read(ByteBuffer bytes, LongConsumer stamps) {
        int at = bytes.position();
        int end = bytes.limit();
        while (at < end) {
            if (toSkip > 0) {
                int step = Math.min(toSkip, end - at);
                toSkip -= step;
                at += step;
            } else if (digitsLeft > 0) {
                stamp = stamp * 10 + (bytes.get(at++) - '0');
                if (--digitsLeft == 0) {
                    toSkip = SKIP;
                    stamps.accept(stamp);
                }
            } else if (bytes.get(at++) == StampedEvent.MARK) {
                digitsLeft = StampedEvent.DIGITS;
                stamp = 0;
            }
        }
        bytes.position(end);
    }
}
