package io.fanfare.media;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;

/** A part of which only the length is sent. */
record HeadOnlyPart(long length) implements StoredFile.Part {
    @Override
    public Future<Void> sendTo(HttpServerResponse response) {
        return Future.failedFuture("the part was not opened");
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
