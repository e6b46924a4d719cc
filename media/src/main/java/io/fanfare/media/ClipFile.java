package io.fanfare.media;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is read here and there, whatever it says of itself: what lies beyond its end, and a read that is one too
 * many or one byte too much, ends the reading ({@link ClipHead#broken}). Confined to one thread.
 */
final class ClipFile implements Closeable {
    /** All that is read of a file. The heads that are looked at have a few hundred bytes. */
    private static final long BYTES_MAX = 2 << 20;

    private static final int READS_MAX = 20_000;

    private final FileChannel channel;
    private final long bytes;
    private long left = BYTES_MAX;
    private int reads;

    private ClipFile(FileChannel channel) throws IOException {
        this.channel = channel;
        this.bytes = channel.size();
    }

    static ClipFile open(Path path) throws IOException {
        return new ClipFile(FileChannel.open(path, StandardOpenOption.READ));
    }

    /** How long it is. */
    long bytes() {
        return bytes;
    }

    /** So many bytes from this place on. */
    ByteBuffer at(long position, int length) throws IOException {
        if (position < 0 || length < 0 || position > bytes - length) {
            throw ClipHead.broken();
        }
        left -= length;
        if (left < 0 || ++reads > READS_MAX) {
            throw ClipHead.broken();
        }
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw ClipHead.broken();
            }
        }
        return buffer.flip();
    }

    /** As many bytes as there are from this place on, up to a length. */
    ByteBuffer upTo(long position, int length) throws IOException {
        return at(position, (int) Math.min(length, Math.max(0, bytes - position)));
    }

    /** Whether these letters stand at a place of a buffer. */
    static boolean is(ByteBuffer buffer, int at, String letters) {
        return at >= 0
                && at + letters.length() <= buffer.limit()
                && text(buffer, at, letters.length()).equals(letters);
    }

    /** Bytes as text, each a character. */
    static String text(ByteBuffer buffer, int at, int length) {
        byte[] letters = new byte[length];
        buffer.get(at, letters);
        return new String(letters, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
