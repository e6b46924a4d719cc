package io.fanfare.api.export;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** See {@link Pieces#begun}. */
final class Begun implements Pieces {
    private final Pieces rest;
    private final Buffer first;
    private boolean taken;

    Begun(Buffer first, Pieces rest) {
        this.first = first;
        this.rest = rest;
    }

    @Override
    public Future<Buffer> next() {
        if (taken) {
            return rest.next();
        }
        taken = true;
        return Future.succeededFuture(first);
    }

    @Override
    public void close() {
        rest.close();
    }
}
