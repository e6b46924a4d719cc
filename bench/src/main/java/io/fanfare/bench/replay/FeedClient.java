package io.fanfare.bench.replay;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The API as a patient client uses it, over keep-alive connections. While the server is away or asks to come back later
 * (502, 503, 504), the same request is sent again with back-off until the patience ends; whoever posts gives an
 * Idempotency-Key, so that a post whose answer was lost is not made twice. One event loop.
 */
public final class FeedClient {
    private static final long BACK_OFF_FIRST_MILLIS = 50;
    private static final long BACK_OFF_MAX_MILLIS = 1_000;
    private static final int TOO_MANY = 429;
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

    /** Longer than any request of ours may take (5 s by contract), so that what runs into it is the server's fault. */
    private static final int REQUEST_TIMEOUT_MILLIS = 10_000;

    private static final Pattern NEXT_LINK = Pattern.compile("<([^>]*)>\\s*;\\s*rel=\"next\"");

    private final Vertx vertx;
    private final HttpClient http;
    private final Supplier<URI> base;
    private final Duration patience;
    private final LongSupplier nanos;
    private final Map<String, Long> retries = new TreeMap<>();
    private boolean closed;

    /**
     * @param connections how many connections at most
     * @param base where the server is; asked anew for each attempt, since a restart may move it
     */
    public FeedClient(Vertx vertx, int connections, Supplier<URI> base, Duration patience, LongSupplier nanos) {
        this.vertx = vertx;
        this.http = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                        .setTcpNoDelay(true))
                .with(new PoolOptions().setHttp1MaxSize(connections))
                // Each request on the connection fails as well, and is sent again: nothing to log.
                .withConnectHandler(connection -> connection.exceptionHandler(lost -> {}))
                .build();
        this.base = base;
        this.patience = patience;
        this.nanos = nanos;
    }

    /**
     * One request.
     *
     * @param path with its query
     * @param token null = none
     * @param body null = none
     * @param idempotencyKey null = none
     */
    public record Call(HttpMethod method, String path, String token, JsonObject body, String idempotencyKey) {
        public static Call get(String path, String token) {
            return new Call(HttpMethod.GET, path, token, null, null);
        }

        static Call post(String path, String token, JsonObject body) {
            return new Call(HttpMethod.POST, path, token, body, null);
        }
    }

    /**
     * An answer of the server.
     *
     * @param next path and query of the next page, null on the last one
     */
    public record Answer(int status, Buffer body, String next) {
        public boolean isOk() {
            return status == 200;
        }
    }

    /** The server was away for longer than the patience. */
    public static final class ServerAway extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ServerAway(String message) {
            super(message);
        }
    }

    /** Sends until there is an answer that waiting will not change; fails with {@link ServerAway}. */
    public Future<Answer> send(Call call) {
        Promise<Answer> done = Promise.promise();
        attempt(call, 0, 0, done);
        return done.future();
    }

    /** {@link #send} that fails unless the answer is 200. */
    Future<Answer> require(Call call) {
        return send(call)
                .compose(answer -> answer.isOk()
                        ? Future.succeededFuture(answer)
                        : Future.failedFuture(call.method() + " " + call.path() + " answered " + answer.status() + ": "
                                + answer.body().toString()));
    }

    /** How many requests were repeated, by cause. */
    public Map<String, Long> retries() {
        return Map.copyOf(retries);
    }

    /** Requests that still wait for their answer fail. */
    public Future<Void> close() {
        closed = true;
        return http.close();
    }

    private void attempt(Call call, int failures, long firstFailureNanos, Promise<Answer> done) {
        Future.succeededFuture(call)
                .compose(this::once)
                .onComplete(
                        answer -> {
                            if (answer.status() == TOO_MANY) {
                                // A window is longer than anybody's patience, and measuring against it measures it.
                                done.fail(
                                        new ServerAway(
                                                "the server limits the rate of requests: start it with --set limits.enabled=false"));
                            } else if (isPassing(answer.status())) {
                                again(call, failures, firstFailureNanos, "status " + answer.status(), done);
                            } else {
                                done.complete(answer);
                            }
                        },
                        cause -> again(call, failures, firstFailureNanos, describe(cause), done));
    }

    private void again(Call call, int failures, long firstFailureNanos, String cause, Promise<Answer> done) {
        long now = nanos.getAsLong();
        long since = failures == 0 ? now : firstFailureNanos;
        if (closed || now - since > patience.toNanos()) {
            done.fail(new ServerAway("no answer to " + call.method() + " " + call.path() + " for "
                    + patience.toSeconds() + " s: " + cause));
            return;
        }
        retries.merge(cause, 1L, Long::sum);
        long delay = Math.min(BACK_OFF_MAX_MILLIS, BACK_OFF_FIRST_MILLIS << Math.min(failures, 10));
        vertx.setTimer(delay, timer -> attempt(call, failures + 1, since, done));
    }

    private static String describe(Throwable cause) {
        if (cause instanceof ConnectException) {
            return "connection refused";
        }
        return cause instanceof TimeoutException ? "no answer in time" : "connection lost";
    }

    private Future<Answer> once(Call call) {
        URI at = base.get();
        RequestOptions options = new RequestOptions()
                .setMethod(call.method())
                .setHost(at.getHost())
                .setPort(at.getPort())
                .setSsl("https".equals(at.getScheme()))
                .setURI(call.path())
                .setTimeout(REQUEST_TIMEOUT_MILLIS);
        if (call.token() != null) {
            options.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + call.token());
        }
        if (call.idempotencyKey() != null) {
            options.putHeader("Idempotency-Key", call.idempotencyKey());
        }
        return http.request(options)
                .compose(request -> dispatch(request, call.body()))
                .compose(FeedClient::answer);
    }

    private static Future<HttpClientResponse> dispatch(HttpClientRequest request, JsonObject body) {
        if (body == null) {
            return request.send();
        }
        request.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        return request.send(body.toBuffer());
    }

    private static Future<Answer> answer(HttpClientResponse response) {
        return response.body()
                .map(body -> new Answer(response.statusCode(), body, nextPage(response.getHeader("Link"))));
    }

    private static boolean isPassing(int status) {
        return status == 502 || status == 503 || status == 504;
    }

    /** Links are absolute, spelled with the server's public URL; only path and query matter here. */
    private static String nextPage(String link) {
        Matcher next = link == null ? null : NEXT_LINK.matcher(link);
        if (next == null || !next.find()) {
            return null;
        }
        URI uri = URI.create(next.group(1));
        return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }
}
