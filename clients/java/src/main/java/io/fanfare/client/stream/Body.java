package io.fanfare.client.stream;

import io.fanfare.client.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The text of one answer, whether it comes as gzip or as it is. A read waits only while there is nothing, so that each
 * event is read as soon as it has come. One thread.
 */
final class Body implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;

    private final Waiting waiting;
    private final String coding;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private InputStream text; // null = nothing was read so far

    Body(Chunks chunks, HttpHeaders headers, LongSupplier nanos) {
        coding = headers.firstValue("Content-Encoding").orElse("identity").toLowerCase(Locale.ROOT);
        waiting = new Waiting(chunks, nanos);
    }

    /** The longest wait from now on, for all reads together until this is called again. */
    void waitFor(long atMostNanos) {
        waiting.deadline = waiting.nanos.getAsLong() + atMostNanos;
    }

    /**
     * The next bytes, which are valid until the next call; null at the end, also when that is in the middle of gzip.
     *
     * @throws IOException when the connection is lost or silent
     * @throws ProtocolException when the bytes are no gzip, or have a coding that was not requested
     */
    ByteBuffer next() throws IOException, InterruptedException {
        try {
            if (text == null) {
                text = decoded();
            }
            int length = text.read(bytes);
            return length < 0 ? null : ByteBuffer.wrap(bytes, 0, length);
        } catch (EOFException cut) {
            return null;
        } catch (ZipException e) {
            throw new ProtocolException("the server sent broken gzip: " + e.getMessage());
        } catch (InterruptedIOException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
    }

    private InputStream decoded() throws IOException {
        return switch (coding) {
            case "identity" -> waiting;
            case "gzip" -> new GZIPInputStream(waiting, BUFFER_BYTES);
            default -> throw new ProtocolException("the server sent a coding that was not requested: " + coding);
        };
    }

    /** The beginning of a short text, for the sentence of a refusal; what there is of one that is cut off. */
    String beginning(int bytesMax) throws InterruptedException {
        ByteArrayOutputStream beginning = new ByteArrayOutputStream();
        try {
            ByteBuffer read = next();
            while (read != null && beginning.size() < bytesMax) {
                beginning.write(bytes, 0, Math.min(read.remaining(), bytesMax - beginning.size()));
                read = next();
            }
        } catch (IOException | ProtocolException cutOff) {
            // The status alone is the reason then.
        }
        return beginning.toString(StandardCharsets.UTF_8);
    }

    /** Gives back the memory of the decompression, which is outside of the heap. */
    @Override
    public void close() throws IOException {
        if (text != null) {
            text.close();
        }
    }

    /** The bytes as they come. */
    private static final class Waiting extends InputStream {
        private final Chunks chunks;
        private final LongSupplier nanos;
        private Iterator<ByteBuffer> buffers = List.<ByteBuffer>of().iterator();
        private ByteBuffer buffer = ByteBuffer.allocate(0);
        private long deadline;

        private Waiting(Chunks chunks, LongSupplier nanos) {
            this.chunks = chunks;
            this.nanos = nanos;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            while (!buffer.hasRemaining()) {
                if (buffers.hasNext()) {
                    buffer = buffers.next();
                } else {
                    List<ByteBuffer> chunk = nextChunk();
                    if (chunk == null) {
                        return -1;
                    }
                    buffers = chunk.iterator();
                }
            }
            int read = Math.min(length, buffer.remaining());
            buffer.get(into, from, read);
            return read;
        }

        private List<ByteBuffer> nextChunk() throws IOException {
            try {
                return chunks.next(deadline - nanos.getAsLong());
            } catch (InterruptedException e) {
                throw (IOException) new InterruptedIOException().initCause(e);
            }
        }
    }
}
