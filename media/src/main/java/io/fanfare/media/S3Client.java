package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The four requests that pictures need of an S3-compatible bucket. Each try ends within {@code media.s3.timeout}, one
 * that sends a file a second later for each megabyte; what may pass is tried three times. Bodies are never in memory as
 * a whole. Fails with {@link S3Failure} only. Safe for every thread; each future completes on the caller's context.
 */
final class S3Client {
    /** No bucket takes a file more slowly. */
    private static final long BYTES_PER_MILLI_MIN = 1000;

    private static final int TRIES = 3;

    /** Before the second try at most so long, before the third four times as long. */
    private static final long PAUSE_MILLIS = 200;

    /** Uploads and deletes have connections of their own, so that slow readers do not hold them up. */
    private static final int WRITES_AT_ONCE = 16;

    private static final int WAITING_PER_CONNECTION = 16;
    private static final int HEADER_BYTES_MAX = 16_384;
    private static final int ERROR_BYTES_MAX = 16_384;
    private static final int KEEP_ALIVE_SECONDS = 30;

    /**
     * A store that stops in the middle of a body holds a connection no longer; the time-out covers what comes before.
     * Longer than the slowest of readers takes for what waits in between.
     */
    private static final int IDLE_SECONDS = 300;

    /** For the body of a file that is fetched as a whole. */
    private static final int BODY_SECONDS = 20;

    private static final OpenOptions READING =
            new OpenOptions().setRead(true).setWrite(false).setCreate(false);
    private static final OpenOptions WRITING =
            new OpenOptions().setRead(false).setWrite(true).setCreate(true).setTruncateExisting(true);
    private static final Pattern CODE = Pattern.compile("<Code>(\\w{1,64})</Code>");
    private static final Pattern REGION = Pattern.compile("<Region>([\\w-]{1,64})</Region>");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,15}");
    private static final Pattern REGION_NAME = Pattern.compile("[\\w-]{1,64}");

    private final Vertx vertx;
    private final S3Signer signer;
    private final String base;
    private final RandomGenerator random;
    private final long timeoutMillis;
    private final HttpClient reads;
    private final HttpClient writes;

    /** @param random spreads retries */
    S3Client(Vertx vertx, Settings.S3 settings, RandomGenerator random, InstantSource clock) {
        this.vertx = vertx;
        this.signer = new S3Signer(settings, clock);
        this.base = settings.base();
        this.random = random;
        this.timeoutMillis = settings.timeout().toMillis();
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(settings.endpoint().startsWith("https:"))
                .setVerifyHost(true)
                .setConnectTimeout((int) timeoutMillis)
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setIdleTimeout(IDLE_SECONDS)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setDecompressionSupported(false);
        this.reads = vertx.createHttpClient(options, pool(settings.readsAtOnce()));
        this.writes = vertx.createHttpClient(options, pool(WRITES_AT_ONCE));
    }

    private static PoolOptions pool(int connections) {
        return new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(connections * WAITING_PER_CONNECTION);
    }

    /** The body of an answer that has begun, which is paused: the caller reads it to its end, or resets the request. */
    record Body(HttpClientRequest request, HttpClientResponse response) {}

    /** Stores a file under a key, in place of what is there. */
    Future<Void> put(String key, Path file, long bytes, Map<String, String> headers) {
        Supplier<Future<Void>> attempt = () -> vertx.executeBlocking(
                        () -> signer.signed(HttpMethod.PUT, address(key), headers, file), /* ordered= */ false)
                .compose(signed -> vertx.fileSystem()
                        .open(file.toString(), READING)
                        .compose(opened -> put(
                                key,
                                opened,
                                signed.set(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes)),
                                timeoutMillis + bytes / BYTES_PER_MILLI_MIN)));
        return tried(attempt, TRIES);
    }

    private Future<Void> put(String key, AsyncFile opened, MultiMap headers, long millis) {
        Sending sending = new Sending(opened);
        return send(
                        writes,
                        HttpMethod.PUT,
                        key,
                        headers,
                        sending::begin,
                        exchange -> finished(exchange, HttpMethod.PUT),
                        millis)
                .eventually(() -> sending.end(millis));
    }

    /** A file that is being sent, and closed when nobody reads it any more: an answer may come before its end. */
    private static final class Sending {
        private final AsyncFile file;
        private Future<Void> piped = Future.succeededFuture();
        private HttpClientRequest request;

        private Sending(AsyncFile file) {
            this.file = file;
        }

        Future<HttpClientResponse> begin(HttpClientRequest begun) {
            request = begun;
            piped = file.pipe().endOnFailure(false).to(request).onFailure(cause -> reset(request));
            return request.response();
        }

        /** To be called when the request has ended, or was reset. */
        Future<Void> end(long timeoutMillis) {
            return piped.timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                    .onFailure(slow -> reset(request))
                    .transform(read -> file.close())
                    .otherwiseEmpty();
        }
    }

    /** How long the object of a key is; empty when there is none. */
    Future<OptionalLong> size(String key) {
        return tried(() -> requested(reads, HttpMethod.HEAD, key, Map.of(), S3Client::length), TRIES);
    }

    private static Future<OptionalLong> length(Body exchange) {
        HttpClientResponse response = exchange.response();
        if (response.statusCode() == 404) {
            return Future.succeededFuture(OptionalLong.empty());
        }
        if (response.statusCode() != 200) {
            return failed(exchange, HttpMethod.HEAD, Buffer.buffer());
        }
        String length = response.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length == null || !LENGTH.matcher(length).matches()) {
            return Future.failedFuture(S3Failure.strange("the bucket does not say how long a file is"));
        }
        return Future.succeededFuture(OptionalLong.of(Long.parseLong(length)));
    }

    /** A part of the object of a key, as it arrives; empty when there is none. */
    Future<Optional<Body>> get(String key, long from, long length) {
        return get(key, from, length, TRIES);
    }

    private Future<Optional<Body>> get(String key, long from, long length, int tries) {
        Map<String, String> range = Map.of("Range", "bytes=" + from + "-" + (from + length - 1));
        return tried(() -> requested(reads, HttpMethod.GET, key, range, exchange -> part(exchange, length)), tries);
    }

    /**
     * Writes the object of a key, which is so long, into a file. False when there is none. The caller deletes the file,
     * also when this fails.
     */
    Future<Boolean> fetch(String key, long bytes, Path file) {
        return tried(
                () -> vertx.fileSystem().open(file.toString(), WRITING).compose(opened -> get(
                                key, 0, bytes, /* tries= */ 1)
                        .compose(body -> body.isEmpty()
                                ? Future.succeededFuture(false)
                                : written(body.get(), opened).map(true))
                        .transform(end -> opened.close()
                                .transform(closed -> end.succeeded()
                                        ? Future.succeededFuture(end.result())
                                        : Future.failedFuture(end.cause())))),
                TRIES);
    }

    private Future<Void> written(Body body, AsyncFile file) {
        return body.response()
                .pipe()
                .endOnSuccess(false)
                .endOnFailure(false)
                .to(file)
                .timeout(BODY_SECONDS, TimeUnit.SECONDS)
                .onFailure(cause -> reset(body.request()));
    }

    private static Future<Optional<Body>> part(Body exchange, long length) {
        HttpClientResponse response = exchange.response();
        // 200 where the part is the whole, which the length shows.
        if (response.statusCode() != 206 && response.statusCode() != 200) {
            return read(exchange).compose(error -> {
                if (isGone(response, error)) {
                    return Future.succeededFuture(Optional.empty());
                }
                return failed(exchange, HttpMethod.GET, error);
            });
        }
        if (!Long.toString(length).equals(response.getHeader(HttpHeaders.CONTENT_LENGTH))) {
            return Future.failedFuture(S3Failure.strange("the bucket does not send the requested range"));
        }
        HttpClientResponse unused = response.pause();
        return Future.succeededFuture(Optional.of(exchange));
    }

    /**
     * Deletes the object of a key; one that is gone already is no mistake. Tried once, since the caller deletes again.
     */
    Future<Void> delete(String key) {
        return tried(
                () -> requested(
                        writes, HttpMethod.DELETE, key, Map.of(), exchange -> finished(exchange, HttpMethod.DELETE)),
                /* tries= */ 1);
    }

    private URI address(String key) {
        return URI.create(base + "/" + key);
    }

    private <T> Future<T> tried(Supplier<Future<T>> attempt, int tries) {
        return attempt.get().recover(cause -> {
            S3Failure failure = S3Failure.silent(cause);
            if (tries <= 1 || !failure.isPassing()) {
                return Future.failedFuture(failure);
            }
            long pause = 1 + random.nextLong(tries == TRIES ? PAUSE_MILLIS : 4 * PAUSE_MILLIS);
            return vertx.timer(pause, TimeUnit.MILLISECONDS).compose(over -> tried(attempt, tries - 1));
        });
    }

    /** One try of a request without a body. */
    private <T> Future<T> requested(
            HttpClient client,
            HttpMethod method,
            String key,
            Map<String, String> headers,
            Function<Body, Future<T>> read) {
        MultiMap signed = signer.signed(method, address(key), headers, null);
        return send(client, method, key, signed, HttpClientRequest::send, read, timeoutMillis);
    }

    /** One try, the whole of which has the time-out, except for the body that {@code read} leaves to others. */
    private <T> Future<T> send(
            HttpClient client,
            HttpMethod method,
            String key,
            MultiMap headers,
            Function<HttpClientRequest, Future<HttpClientResponse>> send,
            Function<Body, Future<T>> read,
            long millis) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(address(key).toString())
                .setHeaders(headers)
                .setFollowRedirects(false)
                .setConnectTimeout(timeoutMillis);
        return client.request(options).compose(request -> send.apply(withoutLog(request))
                .compose(response -> read.apply(new Body(request, response)))
                .timeout(millis, TimeUnit.MILLISECONDS)
                .onFailure(cause -> resetUnlessAnswered(request, cause)));
    }

    /** Keeps Vert.x from logging an error of the request: the response that does not come reports it. */
    private static HttpClientRequest withoutLog(HttpClientRequest request) {
        return request.exceptionHandler(logged -> {});
    }

    private static Future<Void> finished(Body exchange, HttpMethod method) {
        HttpClientResponse response = exchange.response();
        return read(exchange).compose(body -> {
            boolean deleted = method.equals(HttpMethod.DELETE) && isGone(response, body);
            if (deleted || response.statusCode() / 100 == 2) {
                return Future.succeededFuture();
            }
            return failed(exchange, method, body);
        });
    }

    /** Whether the object is not there, but the bucket is. */
    private static boolean isGone(HttpClientResponse response, Buffer body) {
        return response.statusCode() == 404 && !code(body).equals("NoSuchBucket");
    }

    private static <T> Future<T> failed(Body exchange, HttpMethod method, Buffer body) {
        return Future.failedFuture(S3Failure.answered(
                method.name(), exchange.response().statusCode(), code(body), region(exchange.response(), body)));
    }

    /** The region that the store names for the bucket; empty when it names none. */
    private static String region(HttpClientResponse response, Buffer body) {
        String header = response.getHeader("x-amz-bucket-region");
        if (header != null && REGION_NAME.matcher(header).matches()) {
            return header;
        }
        Matcher named = REGION.matcher(body.toString(StandardCharsets.UTF_8));
        return named.find() ? named.group(1) : "";
    }

    /** The code in the document that S3 sends with an error; empty when it is no such document. */
    private static String code(Buffer body) {
        Matcher code = CODE.matcher(body.toString(StandardCharsets.UTF_8));
        return code.find() ? code.group(1) : "";
    }

    /** The body of a short answer, and of a long one its beginning. */
    private static Future<Buffer> read(Body exchange) {
        Promise<Buffer> read = Promise.promise();
        Buffer body = Buffer.buffer();
        Handler<Buffer> part = bytes -> {
            if (body.length() + bytes.length() <= ERROR_BYTES_MAX) {
                Buffer unused = body.appendBuffer(bytes);
            } else if (read.tryComplete(body)) {
                reset(exchange.request());
            }
        };
        HttpClientResponse unused = exchange.response()
                .exceptionHandler(read::tryFail)
                .endHandler(end -> read.tryComplete(body))
                .handler(part);
        return read.future();
    }

    /** Ends what is under way. */
    Future<Void> close() {
        return reads.close().eventually(writes::close);
    }

    /** An answer that was read to its end leaves the connection to the next request, which a reset would close. */
    private static void resetUnlessAnswered(HttpClientRequest request, Throwable cause) {
        boolean answered = cause instanceof S3Failure failure && failure.status() > 0;
        if (!answered) {
            reset(request);
        }
    }

    /** Ends a request whose answer nobody reads; its connection goes too, unless the answer has ended. */
    static void reset(HttpClientRequest request) {
        boolean unused = request.reset().failed();
    }
}
