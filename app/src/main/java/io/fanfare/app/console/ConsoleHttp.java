package io.fanfare.app.console;

import io.fanfare.common.model.Refusal;
import io.fanfare.redis.RedisError;
import io.fanfare.server.http.Problems;
import io.fanfare.server.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the bodies of the console's requests, and writes its answers. Stateless. */
final class ConsoleHttp {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleHttp.class);

    private ConsoleHttp() {}

    /** The body as text; fails with a {@link Refusal} when it is longer than this, or is broken off. Call at once. */
    static Future<String> body(HttpServerRequest request, int bytesMax) {
        Promise<String> read = Promise.promise();
        Buffer body = Buffer.buffer();
        request.handler(piece -> {
            if (body.length() + piece.length() > bytesMax) {
                read.tryFail(new Refusal(
                        Refusal.Reason.TOO_LARGE, "The body is too large: send at most " + bytesMax + " bytes."));
            } else {
                body.appendBuffer(piece);
            }
        });
        // Anybody can send such a body, so that it must be no error of ours, which is logged.
        request.exceptionHandler(
                broken -> read.tryFail(Arguments.malformed("The body cannot be read: send it whole.")));
        request.endHandler(end -> read.tryComplete(body.toString(StandardCharsets.UTF_8)));
        return read.future();
    }

    static void json(HttpServerRequest request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        end(request, Buffer.buffer(body.encode()));
    }

    /** A failure as {@code {"error": "a sentence"}}. */
    static void failure(HttpServerRequest request, Throwable cause) {
        HttpServerResponse response = request.response();
        if (response.headWritten() || response.closed()) {
            return;
        }
        if (cause instanceof Refusal refusal) {
            if (refusal.retrySeconds() > 0) {
                response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(refusal.retrySeconds()));
            }
            error(request, Problems.statusOf(refusal.reason()), refusal.getMessage());
        } else if (cause instanceof RedisError) {
            error(request, 503, "Redis did not do it: " + cause.getMessage());
        } else {
            LOG.error("console request failed path={}", request.path(), cause);
            error(request, 500, "Something went wrong here: the log of this process says what.");
        }
    }

    static void error(HttpServerRequest request, int status, String sentence) {
        json(request, status, new JsonObject().put("error", sentence));
    }

    /**
     * Sends an answer whose head is prepared. Where the body of the request is still to come, nobody wants it, and the
     * connection ends when it has come; {@link io.fanfare.server.runtime.ManagementSite} says how long that may take. A
     * client that has gone meanwhile is no failure of ours.
     */
    static void end(HttpServerRequest request, Buffer body) {
        if (RequestBody.declared(request) != 0 && !request.isEnded()) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            request.end().onComplete(came -> request.connection().close().onFailure(gone -> {}));
        }
        request.response().end(body).onFailure(gone -> {});
    }
}
