package io.fanfare.stream;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.event.LogState;
import io.fanfare.common.http.Authentication;
import io.fanfare.common.http.Problems;
import io.fanfare.common.http.WrongMethod;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.stream.filter.Firehose;
import io.fanfare.stream.filter.Home;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streaming endpoints. Whoever may not listen gets an error status, for good; what is temporary is told on a native stream in-band with status 200 and a time to come back,
 * because any other status ends an EventSource for ever. Confined to one event loop.
 */
public final class StreamRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(StreamRoutes.class);
    private static final String BASE = "/api/v1/streaming";
    private static final String SCOPE = "read:statuses";
    private static final String FIREHOSE = "firehose";
    private static final String USER = "user";

    private final StreamHub hub;
    private final Graph graph;
    private final Authentication authentication;
    private final TokenWatch watch;
    private final boolean anonymous;

    public StreamRoutes(Vertx vertx, StreamHub hub, Tokens tokens, Graph graph, Settings.Stream settings) {
        this.hub = hub;
        this.graph = graph;
        this.authentication = new Authentication(tokens);
        this.watch = new TokenWatch(vertx, tokens);
        this.anonymous = settings.anonymous();
    }

    public void mount(Router router) {
        List<HttpMethod> get = List.of(HttpMethod.GET);
        List<HttpMethod> getOrHead = List.of(HttpMethod.GET, HttpMethod.HEAD);
        mount(router, "/health", getOrHead, StreamRoutes::health);
        mount(router, "/" + FIREHOSE, get, this::firehose);
        mount(router, "/" + USER, get, this::user);
    }

    private static void mount(Router router, String path, List<HttpMethod> methods, Handler<RoutingContext> handler) {
        Route route = router.route(BASE + path);
        methods.forEach(route::method);
        route.handler(handler);
        WrongMethod.mount(router, BASE + path, methods);
    }

    private static void health(RoutingContext ctx) {
        ctx.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end("OK")
                .onFailure(gone -> {});
    }

    private void firehose(RoutingContext ctx) {
        String token = token(ctx.request());
        identify(token, !anonymous)
                .compose(who -> start(ctx.request()))
                .map(this::ifRoom)
                .onComplete(
                        start -> open(ctx, FIREHOSE, Firehose.WHOLE, Dialect.NATIVE, start, token),
                        cause -> refuse(ctx, FIREHOSE, cause));
    }

    private void user(RoutingContext ctx) {
        String token = token(ctx.request());
        identify(token, /* userDue= */ true)
                .compose(this::home)
                .map(this::ifRoom)
                .onComplete(
                        home -> open(ctx, USER, home.filter(), Dialect.MASTODON, home.start(), token),
                        cause -> Problems.answer(ctx, cause));
    }

    private record HomeStart(Home filter, Resume start) {}

    /** The place in the log is taken before the follows are read, so that no change between the two is missed. */
    private Future<HomeStart> home(Principal who) {
        Resume start = Resume.of(null, hub.known());
        return graph.followingOf(who.userId())
                .map(followed -> new HomeStart(new Home(who.userId(), followed, this::recheck), start));
    }

    private void recheck(Home home, long account) {
        graph.follows(home.viewer(), account)
                .onSuccess(follows -> home.set(account, follows))
                .onFailure(cause ->
                        LOG.warn("follow not confirmed viewer={} reason={}", home.viewer(), cause.getMessage()));
    }

    private Future<Principal> identify(String token, boolean userDue) {
        return authentication
                .identify(token)
                .map(who -> who == null && !userDue ? null : Authentication.require(who, userDue, SCOPE));
    }

    /** What the ring has is known here; about anything else the log is asked, which may be ahead of what is known here and may have less than a moment ago. */
    private Future<Resume> start(HttpServerRequest request) {
        String cursor = cursor(request);
        Resume start = Resume.of(cursor, hub.known());
        if (start.gap() == null && hub.inMemory(start.after())) {
            return Future.succeededFuture(start);
        }
        return hub.log().state().map(state -> Resume.of(cursor, believed(state)));
    }

    /** A stream begins in the ring's epoch. When the log has just begun another, the stream goes through that change like all the others. */
    private LogState believed(LogState asked) {
        LogState known = hub.known();
        return asked.epoch().equals(known.epoch()) ? asked : known;
    }

    /** Asked last, since others may have come while Redis was asked. */
    private <T> T ifRoom(T start) {
        if (!hub.hasRoom()) {
            throw new Refusal(
                    Refusal.Reason.OVERLOADED, "No more streams can be opened here at the moment: try again later.");
        }
        return start;
    }

    private void open(
            RoutingContext ctx, String name, StreamFilter filter, Dialect dialect, Resume start, String token) {
        HttpServerResponse response = ctx.response();
        if (response.closed()) {
            return;
        }
        head(response);
        Subscriber subscriber = hub.open(name, Outlet.of(response), filter, dialect, start);
        if (token != null) {
            watch.add(token, subscriber);
        }
    }

    private void refuse(RoutingContext ctx, String name, Throwable cause) {
        boolean passing = cause instanceof RedisError
                || (cause instanceof Refusal refusal && refusal.reason() == Refusal.Reason.OVERLOADED);
        HttpServerResponse response = ctx.response();
        if (!passing || response.closed()) {
            Problems.answer(ctx, cause);
            return;
        }
        head(response);
        response.end(Dialect.NATIVE.disconnect(Disconnect.SHED_LOAD, name, hub.retryMillis(Disconnect.SHED_LOAD)))
                .onFailure(gone -> {});
    }

    private static void head(HttpServerResponse response) {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store, no-transform")
                .putHeader("X-Accel-Buffering", "no");
    }

    /** From the header, or from the address where a browser's EventSource cannot set headers. */
    private static String token(HttpServerRequest request) {
        String bearer = Authentication.bearer(request);
        return bearer != null ? bearer : request.getParam("access_token");
    }

    private static String cursor(HttpServerRequest request) {
        String header = request.getHeader("Last-Event-ID");
        if (header != null) {
            return header;
        }
        String parameter = request.getParam("last_event_id");
        return parameter != null ? parameter : request.getParam("cursor");
    }
}
