package io.fanfare.media;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** A file that a store has found. Safe for every thread. */
public interface StoredFile {
    /** How long it is. */
    long bytes();

    /**
     * Opens a part of it, which the caller sends or closes; empty when the file has been deleted since.
     *
     * @param from of its bytes the first, counted from 0
     * @param length in bytes, not beyond the end of the file
     */
    Future<Optional<Part>> open(long from, long length);

    /** A part of it that fits in memory; empty when the file has been deleted since. */
    Future<Optional<Buffer>> read(Vertx vertx, long from, int length);

    /** A part that is not opened, for an answer without a body. */
    static Part unopened(long length) {
        return new HeadOnlyPart(length);
    }

    /** A part that can be sent once. Confined to the event loop that has opened it. */
    interface Part {
        /** A length that is not known before the end. */
        long UNKNOWN = -1;

        /** How long it is; it may be {@link #UNKNOWN}. */
        long length();

        /**
         * Sends it as the body of an answer, as its reader takes it. Ends the answer, except when it fails: then less
         * than {@link #length} has been sent.
         */
        Future<Void> sendTo(HttpServerResponse response);

        /** Lets go of one that is not sent. */
        void close();
    }
}
