package io.fanfare.api.export;

import io.fanfare.failure.Reason;
import io.fanfare.media.StoredFile;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body that is made while it is sent: the next piece when the client has taken the one before. Confined to one event
 * loop.
 */
final class StreamedPieces implements StoredFile.Part {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedPieces.class);

    private final ChunkSource pieces;

    StreamedPieces(ChunkSource pieces) {
        this.pieces = pieces;
    }

    @Override
    public long length() {
        return UNKNOWN;
    }

    @Override
    public Future<Void> sendTo(HttpServerResponse response) {
        Promise<Void> sent = Promise.promise();
        new Sending(response, Vertx.currentContext(), sent).step();
        return sent.future().onComplete(ended -> pieces.close()).onFailure(cause -> {
            if (response.closed()) {
                LOG.debug("client gone in the middle of an export");
            } else {
                LOG.warn("an export broke off cause={}", Reason.kind(cause));
            }
        });
    }

    @Override
    public void close() {
        pieces.close();
    }

    private final class Sending {
        private final HttpServerResponse response;
        private final Context context;
        private final Promise<Void> sent;

        private Sending(HttpServerResponse response, Context context, Promise<Void> sent) {
            this.response = response;
            this.context = context;
            this.sent = sent;
        }

        private void step() {
            if (response.closed()) {
                sent.fail("the client has gone");
                return;
            }
            Future.succeededFuture()
                    .compose(begin -> pieces.next())
                    .compose(piece -> piece == null
                            ? response.end().map(false)
                            : piece.length() == 0
                                    ? Future.succeededFuture(true)
                                    : response.write(piece).map(true))
                    .onComplete(
                            more -> {
                                if (more) {
                                    // Not in place, since all may have been there at once.
                                    context.runOnContext(next -> step());
                                } else {
                                    sent.complete();
                                }
                            },
                            sent::fail);
        }
    }
}
