package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.GzipBlock;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * The body of an HTTP response as one member of gzip, whose head is set. Blocks that many streams share go out as they
 * are; everything else, which is for this client alone, is not compressed: so no length depends on two texts of which
 * one is a secret (BREACH). A stream that the server ends has a valid end, one that is cut has none, as with chunks.
 */
final class GzipSink extends ResponseSink {
    private boolean begun;

    /** The checksum and the length of the text so far. */
    private int crc;

    private int length;

    GzipSink(HttpServerRequest request, ChunkEncoder chunks) {
        super(request, chunks);
    }

    @Override
    public boolean isCompressed() {
        return true;
    }

    @Override
    public void write(Buffer events) {
        write(GzipBlock.stored(events));
    }

    @Override
    public void write(GzipBlock events) {
        crc = events.checksum(crc);
        length += events.length();
        super.write(begun ? events.bytes() : events.asFirst());
        begun = true;
    }

    @Override
    public Future<Void> end(Disconnect why) {
        if (!begun) {
            write(Buffer.buffer());
        }
        super.write(GzipBlock.end(crc, length));
        return super.end(why);
    }
}
