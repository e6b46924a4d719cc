package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The handlers that every request passes first, whichever role answers it: a request id, the date, CORS for browsers,
 * security headers, the end of connections that may be out of step; and JSON for requests that no route answers.
 * Mounted once per server, before the roles' own routes. Confined to one event loop.
 */
public final class CommonHandlers {
    /** On every answer; a caller's own is kept when it is of harmless characters. */
    public static final String REQUEST_ID = "X-Request-Id";

    /** The longest message of a client on a WebSocket; real ones are short. */
    private static final int WEB_SOCKET_BYTES_MAX = 16 << 10;

    /**
     * The longest frame. A client with a longer message gets an error; a longer frame cuts the connection without one.
     */
    private static final int WEB_SOCKET_FRAME_BYTES_MAX = 4 * WEB_SOCKET_BYTES_MAX;

    /** Grows with the request; kept as long as the connection. */
    private static final int DECODER_BYTES_FIRST = 128;

    private static final int REQUEST_ID_CHARS_MAX = 64;
    private static final int REQUEST_LINE_CHARS_MAX = 16 << 10;
    private static final int HEADER_BYTES_MAX = 16 << 10;

    /** IMF-fixdate. The formatter of the JDK leaves out the zero before a day of one digit. */
    private static final DateTimeFormatter DATES = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final CharSequence REQUEST_ID_NAME = HttpHeaders.createOptimized(REQUEST_ID);
    private static final CharSequence ANY = HttpHeaders.createOptimized("*");
    private static final CharSequence EXPOSED = HttpHeaders.createOptimized(
            "Link, ETag, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, " + REQUEST_ID);
    private static final CharSequence METHODS = HttpHeaders.createOptimized("GET, POST, PUT, PATCH, DELETE");
    private static final CharSequence NOSNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence POLICY_NAME = HttpHeaders.createOptimized("Content-Security-Policy");
    private static final CharSequence POLICY =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
    private static final CharSequence REFERRER_NAME = HttpHeaders.createOptimized("Referrer-Policy");
    private static final CharSequence REFERRER = HttpHeaders.createOptimized("no-referrer");

    private final Set<HttpConnection> ending = Collections.newSetFromMap(new WeakHashMap<>());
    private final ConnectionLimiter connectionLimiter;
    private final String loop;
    private final InstantSource clock;
    private final Predicate<HttpServerRequest> closed;
    private long requests;

    /** The time that {@link #date} shows, Unix seconds. */
    private long dateSeconds = -1;

    private CharSequence date = "";

    /**
     * @param random makes the request ids of this event loop differ from others'
     * @param connectionLimiter of the same server
     */
    public CommonHandlers(RandomGenerator random, ConnectionLimiter connectionLimiter, InstantSource clock) {
        this(random, connectionLimiter, clock, request -> false);
    }

    /**
     * The same for a server that is closed to some networks.
     *
     * @param closed whether a request is refused, such as {@link NetworkGate#refuses}
     */
    public CommonHandlers(
            RandomGenerator random,
            ConnectionLimiter connectionLimiter,
            InstantSource clock,
            Predicate<HttpServerRequest> closed) {
        this.connectionLimiter = connectionLimiter;
        this.clock = clock;
        this.closed = closed;
        this.loop = Integer.toHexString(random.nextInt()) + "-";
    }

    /**
     * How every server of ours listens: plain HTTP/1.1, no compressed requests (a small body that unpacks to a huge one
     * would get past the body's limit), no compressed streams (the API compresses its answers itself), and no
     * connection that just sits there. Streams stay open because they send a heartbeat.
     */
    public static HttpServerOptions options(Settings.Http settings) {
        return new HttpServerOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                // Nothing written, rather than nothing read: else a client whose body trickles in, or who takes
                // nothing of its stream, would hold a connection for ever.
                .setWriteIdleTimeout((int) settings.idleTimeout().toMillis())
                .setMaxInitialLineLength(REQUEST_LINE_CHARS_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                // Mastodon's clients offer their token as the sub-protocol and want it echoed.
                .setWebSocketSubProtocols(List.of("*"))
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(WEB_SOCKET_FRAME_BYTES_MAX)
                .setMaxWebSocketMessageSize(WEB_SOCKET_BYTES_MAX)
                .setHttp2ClearTextEnabled(false)
                // Everything of a connection happens on its own event loop. Vert.x then keeps no queue for other
                // threads, which would take more memory than all else that an idle stream has.
                .setStrictThreadMode(true)
                .setDecoderInitialBufferSize(DECODER_BYTES_FIRST);
    }

    public void mount(Router router) {
        router.route().handler(this::pass);
        Problems.mount(router);
    }

    /**
     * For {@code HttpServer.invalidRequestHandler}: what is no HTTP at all, or over the limits of its first line and
     * headers.
     */
    public static void refuse(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        boolean line = cause instanceof io.netty.handler.codec.http.TooLongHttpLineException;
        boolean headers = cause instanceof io.netty.handler.codec.http.TooLongHttpHeaderException;
        String error = line
                ? "The address is too long: send the parameters in the body of a POST."
                : headers
                        ? "The headers are too large: send fewer."
                        : "This is not a valid HTTP request: check its first line, send Host once, and Content-Length and Transfer-Encoding once at most.";
        request.response()
                .setStatusCode(line ? 414 : headers ? 431 : 400)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                .end("{\"error\":\"" + error + "\"}")
                .onComplete(sent -> request.connection().close().onFailure(closed -> {}));
    }

    private void pass(RoutingContext ctx) {
        if (ending.contains(ctx.request().connection())) {
            ctx.request().connection().close().onFailure(closed -> {});
            return;
        }
        RequestBody.arrive(ctx, () -> ending.add(ctx.request().connection()));
        HttpServerResponse response = ctx.response();
        response.putHeader(REQUEST_ID_NAME, requestId(ctx.request()))
                .putHeader(HttpHeaders.DATE, date())
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ANY)
                .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED)
                .putHeader(NOSNIFF_NAME, NOSNIFF)
                .putHeader(POLICY_NAME, POLICY)
                .putHeader(REFERRER_NAME, REFERRER);
        if (ctx.request().headers().contains(ClientAddress.FORWARDED_FOR)) {
            connectionLimiter.forwarded(ctx.request());
        }
        Refusal surplus = connectionLimiter.refusal(ctx.request().connection());
        if (surplus != null) {
            closeAfterwards(ctx);
            throw surplus;
        }
        if (closed.test(ctx.request())) {
            closeAfterwards(ctx);
            throw new Refusal(Refusal.Reason.FORBIDDEN, NetworkGate.CLOSED);
        }
        if (preflight(ctx.request())) {
            // 200 and a body: clients of Mastodon's API do not expect a 204.
            response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
                    .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, PreflightHeaders.allowed(ctx.request()))
                    .putHeader(HttpHeaders.VARY, HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS)
                    .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, "86400")
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                    .end("{}")
                    .onFailure(gone -> {});
            return;
        }
        checkAddress(ctx.request().uri());
        ctx.next();
    }

    private static void checkAddress(String uri) {
        if (!PercentEncoding.isWellFormed(uri)) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The address is malformed: a % must be followed by two hexadecimal digits, write %25 for the sign itself.");
        }
        if (!PercentEncoding.isAscii(uri) || !PercentEncoding.isUtf8(uri)) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The address is not in UTF-8: write letters that are not ASCII in UTF-8, each byte as a % with two hexadecimal digits.");
        }
    }

    /** For a connection that is one too many, or of a blocked network. */
    private void closeAfterwards(RoutingContext ctx) {
        ending.add(ctx.request().connection()); // What follows is read already, and comes before the close.
        ctx.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        ctx.addEndHandler(sent -> ctx.request().connection().close().onFailure(closed -> {}));
    }

    private String requestId(HttpServerRequest request) {
        String given = request.getHeader(REQUEST_ID_NAME);
        return given != null && harmless(given) ? given : loop + Long.toHexString(++requests);
    }

    /** As RFC 9110, section 6.6.1, wants it; made once a second. */
    private CharSequence date() {
        long seconds = clock.millis() / 1000;
        if (seconds != dateSeconds) {
            dateSeconds = seconds;
            date = HttpHeaders.createOptimized(DATES.format(Instant.ofEpochSecond(seconds)));
        }
        return date;
    }

    private static boolean harmless(String id) {
        return !id.isEmpty()
                && id.length() <= REQUEST_ID_CHARS_MAX
                && id.chars().allMatch(c -> c == '-' || c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
    }

    private static boolean preflight(HttpServerRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
    }
}
