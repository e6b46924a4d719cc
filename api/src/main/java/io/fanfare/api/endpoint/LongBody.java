package io.fanfare.api.endpoint;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * A body that is sent in pieces, each when the client has taken the one before: what is written to a socket is copied
 * out of the heap, and waits there for as long as the client likes. Confined to one event loop.
 */
final class LongBody {
    /** Shorter ones are sent in one. */
    static final int PIECE_BYTES = 64 << 10;

    private final HttpServerResponse response;
    private final Buffer body;

    private LongBody(HttpServerResponse response, Buffer body) {
        this.response = response;
        this.body = body;
    }

    /** Sends the head as it is set, with the length of the body, and then the body. */
    static void send(HttpServerResponse response, Buffer body) {
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
        new LongBody(response, body).send(0);
    }

    private void send(int from) {
        int to = Math.min(from + PIECE_BYTES, body.length());
        Buffer piece = body.slice(from, to);
        if (to == body.length()) {
            response.end(piece).onFailure(gone -> {});
        } else {
            response.write(piece).onComplete(taken -> send(to), gone -> {});
        }
    }
}
