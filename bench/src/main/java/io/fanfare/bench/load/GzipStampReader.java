package io.fanfare.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Finds the {@link StampedEvent}s of one stream that is compressed. Each chunk of the answer can be unpacked by itself,
 * and most are the same for all streams: such a chunk is unpacked once, since a load generator must be cheaper than the
 * server.
 */
final class GzipStampReader {
    /** RFC 1952, section 2.3; stands before the first chunk's text. */
    private static final int GZIP_HEAD_BYTES = 10;

    private static final int HEX = 16;

    /** The part of the answer that the next byte belongs to. */
    private enum Part {
        HEAD,
        SIZE,
        CHUNK,
        CHUNK_END
    }

    private final Unpacked unpacked;
    private Part part = Part.HEAD;
    private int lineEnds;
    private boolean begun;
    private byte[] chunk = new byte[0];
    private int size;
    private int filled;

    GzipStampReader(Unpacked unpacked) {
        this.unpacked = unpacked;
    }

    /** The stamps in the chunk that was unpacked last. One for all streams of a thread. */
    static final class Unpacked {
        private final Inflater inflater = new Inflater(/* nowrap= */ true);
        private byte[] chunk = new byte[0];
        private byte[] text = new byte[64 << 10];
        private long[] stamps = {};

        private long[] of(byte[] bytes, int from, int to) {
            if (!Arrays.equals(chunk, 0, chunk.length, bytes, from, to)) {
                stamps = unpack(bytes, from, to);
                chunk = Arrays.copyOfRange(bytes, from, to);
            }
            return stamps;
        }

        private long[] unpack(byte[] bytes, int from, int to) {
            LongStream.Builder found = LongStream.builder();
            StampReader reader = new StampReader();
            inflater.reset();
            inflater.setInput(bytes, from, to - from);
            try {
                for (int length = inflater.inflate(text); length > 0; length = inflater.inflate(text)) {
                    reader.read(ByteBuffer.wrap(text, 0, length), found::add);
                }
            } catch (DataFormatException e) {
                throw new IllegalStateException("a chunk cannot be unpacked by itself", e);
            }
            return found.build().toArray();
        }
    }

    /** Takes the next bytes of the stream; {@code stamps} gets the stamp of each event, once its chunk is here. */
    void read(ByteBuffer bytes, LongConsumer stamps) {
        while (bytes.hasRemaining()) {
            if (part == Part.CHUNK) {
                int length = Math.min(bytes.remaining(), size - filled);
                bytes.get(chunk, filled, length);
                filled += length;
                if (filled == size) {
                    take(stamps);
                    part = Part.CHUNK_END;
                }
            } else {
                take(bytes.get());
            }
        }
    }

    private void take(LongConsumer stamps) {
        int from = begun ? 0 : GZIP_HEAD_BYTES;
        begun = true;
        for (long stamp : unpacked.of(chunk, from, size)) {
            stamps.accept(stamp);
        }
    }

    private void take(byte next) {
        switch (part) {
            case HEAD -> {
                lineEnds = next == '\n' ? lineEnds + 1 : next == '\r' ? lineEnds : 0;
                part = lineEnds == 2 ? Part.SIZE : part;
            }
            case SIZE -> {
                if (next == '\n') {
                    chunk = chunk.length < size ? new byte[size] : chunk;
                    filled = 0;
                    part = Part.CHUNK;
                } else if (next != '\r') {
                    size = size * HEX + Character.digit(next, HEX);
                }
            }
            default -> {
                size = next == '\n' ? 0 : size;
                part = next == '\n' ? Part.SIZE : part;
            }
        }
    }
}
