package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.vertx.VertxInternals;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of one request, from the arrival of its head to the end of the request. It is not read before a handler
 * needs it, and stays with the sender until then. The part that is unread when the answer goes out is discarded as it
 * comes: a small rest, so that the connection can be used again; of a larger one, or one of unknown length, as much as
 * gives the client a chance to read the answer (RFC 9112, 9.6), then the connection is closed. A body that breaks HTTP
 * is answered with 400; a client that has left causes nothing but a line at DEBUG. Confined to one event loop.
 *
 * <p>After a body in chunks the connection is always closed. A proxy in front that used a Content-Length beside it
 * would take the following bytes for part of the body, where we see a request (RFC 9112, 6.1): no following request is
 * run.
 */
public final class RequestBody {
    /** An unread body of this length or less is waited for, and its connection kept. */
    private static final int KEPT_BYTES_MAX = 64 << 10;

    /**
     * The bytes of a longer body that are discarded before the connection is closed: no body may be longer anywhere.
     */
    private static final int DISCARDED_BYTES_MAX = 2 << 20;

    /** How long a connection stays open for a client that has been answered before its body had ended. */
    private static final long LINGER_MILLIS = 2000;

    /** A body may come in this many pieces, however short, and in as many more as it has 16 bytes. */
    private static final int PIECES_MAX = 1024;

    private static final int PIECE_BYTES_MIN = 16;

    /** The least that a discarded piece counts: a chunk of one byte costs as much as a longer one. */
    private static final int DISCARDED_PIECE_BYTES_MIN = 512;

    private static final Logger LOG = LoggerFactory.getLogger(RequestBody.class);
    private static final String KEY = RequestBody.class.getName();

    /** Takes what arrives of a body. What it throws ends the reading. */
    interface Intake {
        void add(Buffer piece);

        /** Nothing more comes, and nobody wants what has come. */
        void drop();

        /** Whether nothing more should be sent for now; {@link #resume} says when. */
        default boolean isFull() {
            return false;
        }

        /** Nothing is read from now on, or it is read again. */
        default void pause(boolean now) {}
    }

    private final RoutingContext ctx;
    private final HttpServerRequest request;
    private final Runnable whenClosing;

    /** -1 = in chunks, whose sum nobody knows. */
    private final long declared;

    private Intake intake;
    private Promise<Void> whole;
    private Runnable onLeft = () -> {};
    private long received;
    private long pieces;
    private boolean ended;
    private boolean discarding;
    private boolean answered;
    private boolean left;
    private boolean paused;

    /** The connection cannot be used again after the answer. */
    private boolean closes;

    private RequestBody(RoutingContext ctx, Runnable whenClosing, long declared) {
        this.ctx = ctx;
        this.whenClosing = whenClosing;
        this.request = ctx.request();
        this.declared = declared;
        this.closes = declared < 0 || declared > KEPT_BYTES_MAX;
    }

    /**
     * To be called for every request, in the turn in which its head arrived.
     *
     * @param whenClosing called when the answer says that its connection will be closed: no further request is run
     */
    static void arrive(RoutingContext ctx, Runnable whenClosing) {
        long declared = declared(ctx.request());
        if (declared != 0) {
            new RequestBody(ctx, whenClosing, declared).begin();
        }
    }

    /** Null for a request without a body. */
    static RequestBody of(RoutingContext ctx) {
        return ctx.get(KEY);
    }

    /** How many bytes the head of a request says will follow; 0 = no body, -1 = not known before it has come. */
    public static long declared(HttpServerRequest request) {
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
            return -1;
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private void begin() {
        ctx.put(KEY, this);
        request.pause();
        request.exceptionHandler(this::failed);
        int unused = ctx.addHeadersEndHandler(head -> answering());
        int unusedToo = ctx.addEndHandler(this::answered);
    }

    /** The length in its head; -1 = none. */
    long declared() {
        return declared;
    }

    /** Leaves what follows in the socket, while something else is waited for: Vert.x alone would take in a megabyte. */
    void hold(Runnable whenLeft) {
        onLeft = whenLeft;
        PacedRequestDecoder.holdBody(channel().channel());
    }

    /** Reads all of it. The future fails with what the intake throws, and when the client leaves. */
    Future<Void> collect(Intake into) {
        if (answered || left || discarding) {
            return Future.failedFuture(new Refusal(Refusal.Reason.MALFORMED, "The body can be read no more."));
        }
        intake = into;
        whole = Promise.promise();
        continueIfExpected();
        read();
        return whole.future();
    }

    /** Throws away what comes, without waiting for it. */
    void discard() {
        if (!discarding && !ended && !left && !request.isEnded()) {
            discarding = true;
            received = 0;
            paused = false;
            read();
        }
    }

    /** Frees the collected bytes, which are not needed any more. */
    void drop() {
        if (intake != null) {
            intake.drop();
            intake = null;
        }
    }

    private void read() {
        request.handler(this::received).endHandler(end -> ended());
        PacedRequestDecoder.readBody(channel().channel());
        request.resume();
    }

    /** Sends 100 Continue to a client that expects it before it sends a large body (RFC 9110, 10.1.1). */
    private void continueIfExpected() {
        if (expectsContinue()) {
            request.headers().remove(HttpHeaders.EXPECT);
            request.response().writeContinue().onFailure(gone -> {});
        }
    }

    private boolean expectsContinue() {
        return request.version() == HttpVersion.HTTP_1_1
                && "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    }

    private void received(Buffer piece) {
        pieces++;
        if (discarding) {
            received += Math.max(piece.length(), DISCARDED_PIECE_BYTES_MIN);
            if (received > DISCARDED_BYTES_MAX) {
                close();
            }
            return;
        }
        received += piece.length();
        if (whole.future().isComplete()) {
            return;
        }
        try {
            if (pieces > PIECES_MAX + received / PIECE_BYTES_MIN) {
                throw new Refusal(
                        Refusal.Reason.MALFORMED, "The body comes in too many small chunks: send larger ones.");
            }
            intake.add(piece);
            if (intake.isFull() && !paused) {
                paused = true;
                intake.pause(true);
                request.pause();
                PacedRequestDecoder.holdBody(channel().channel());
            }
        } catch (RuntimeException e) {
            end(e);
        }
    }

    /** Nothing more is taken in: the reading fails with this. */
    void end(RuntimeException cause) {
        if (whole != null && !whole.future().isComplete()) {
            drop();
            whole.fail(cause);
            resume();
        }
    }

    /** There is room again. */
    void resume() {
        if (paused) {
            paused = false;
            if (intake != null) {
                intake.pause(false);
            }
            PacedRequestDecoder.readBody(channel().channel());
            request.resume();
        }
    }

    private void ended() {
        ended = true;
        if (discarding) {
            if (closes && answered) {
                close();
            }
        } else {
            boolean unused = whole.tryComplete();
        }
    }

    /** The head of the answer is about to be written. */
    private void answering() {
        boolean broken = intake != null || (whole != null && whole.future().failed());
        closes |= !ended && (broken || expectsContinue());
        if (closes) {
            whenClosing.run();
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    private void answered(AsyncResult<Void> sent) {
        answered = true;
        drop();
        if (sent.failed() || left) {
            return;
        }
        if (!ended) {
            discard();
            if (closes) {
                long unused = ctx.vertx().setTimer(LINGER_MILLIS, late -> close());
            }
        } else if (closes) {
            close();
        }
    }

    private void failed(Throwable cause) {
        // Not `answered`: vertx-web's end handlers are called for this, too, and before.
        if (ended || left || request.response().ended()) {
            return;
        }
        drop();
        if (cause instanceof HttpClosedException || cause instanceof IOException) {
            left = true;
            LOG.debug("client left during its body path={}", ctx.normalizedPath());
            onLeft.run();
            fail(new Refusal(Refusal.Reason.MALFORMED, "The client has left."));
        } else {
            LOG.debug("malformed body path={} cause={}", ctx.normalizedPath(), cause.toString());
            closes = true;
            Refusal refusal = new Refusal(
                    Refusal.Reason.MALFORMED, "The body is malformed: its chunks are not as HTTP wants them.");
            // Vert.x closes the connection when this returns, with what has not been flushed.
            Problems.answer(ctx, refusal);
            channel().flush();
            fail(refusal);
        }
    }

    private void fail(Refusal refusal) {
        if (whole != null) {
            boolean unused = whole.tryFail(refusal);
        }
    }

    private ChannelHandlerContext channel() {
        return VertxInternals.handler(request.connection());
    }

    private void close() {
        request.connection().close().onFailure(gone -> {});
    }
}
