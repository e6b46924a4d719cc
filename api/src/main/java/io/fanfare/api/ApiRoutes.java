package io.fanfare.api;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.AnswerCompressor;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.PrefixRouters;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.endpoint.RequestBodies;
import io.fanfare.api.endpoint.RequestTimers;
import io.fanfare.api.endpoint.RouteOrder;
import io.fanfare.api.endpoint.SiteGate;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.web.NotFoundPages;
import io.fanfare.api.web.WebRoutes;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.LoopStores;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.BodyReader;
import io.fanfare.server.http.MethodNotAllowed;
import io.fanfare.server.http.Parameters;
import io.fanfare.server.http.Problems;
import io.fanfare.server.http.SessionCookie;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * The REST API, ready to be mounted on a router. The features name their endpoints ({@link ApiFeatures}); here is what
 * happens to every request: time limit, length of the body, token, rate limits, body, endpoint, answer. Confined to one
 * event loop.
 */
public final class ApiRoutes {
    /** How far cursors may be ahead of the clock: ids are, by a little, and so are clocks of other servers. */
    private static final long CURSOR_AHEAD_MILLIS = Duration.ofHours(1).toMillis();

    private final ApiLoop loop;
    private final InstantSource clock;
    private final MeterRegistry metrics;
    private final Authentication authentication;
    private final SessionCookie sessions;
    private final RateLimits rates;
    private final RequestBodies bodies;
    private final SiteGate gate;
    private final AnswerCompressor compressor;
    private final List<ApiFeature> features;
    private final List<Endpoint> endpoints;

    private ApiRoutes(ApiLoop loop, ApiParts parts, List<ApiFeature> features) {
        this.loop = loop;
        this.clock = parts.clock();
        this.metrics = parts.metrics();
        this.authentication = loop.authentication();
        this.sessions = loop.sessions();
        this.rates = loop.rates();
        this.gate = new SiteGate(loop.switches());
        BodyReader reader = new BodyReader(parts.bodies(), loop.addresses());
        this.bodies = new RequestBodies(reader, parts.settings(), parts.media(), parts.disk(), parts.nanos());
        this.compressor = new AnswerCompressor(parts.settings().http().compressAnswers());
        this.features = features;
        this.endpoints =
                RouteOrder.of(features.stream().map(ApiFeature::endpoints).flatMap(List::stream));
    }

    /**
     * Builds the API of one event loop on that loop's link.
     *
     * @param stores of the event loop, see {@link ApiParts#stores}; whoever composes them starts their emojis before
     *     the first request
     * @param tokens the only ones of the event loop: what they revoke is refused there at once
     * @param publicUrl base of absolute URLs, without a trailing slash
     */
    public static ApiRoutes compose(
            Vertx vertx, RedisLink redis, LoopStores stores, Tokens tokens, ApiParts parts, String publicUrl) {
        ApiLoop loop = parts.loop(vertx, redis, stores, tokens, publicUrl);
        return new ApiRoutes(loop, parts, ApiFeatures.of(loop, parts.features(), parts.passwords()));
    }

    /** Adds the API's routes to a router that has a {@link io.fanfare.server.http.CommonHandlers}. */
    public void mount(Router router) {
        PrefixRouters routers = new PrefixRouters(loop.vertx());
        endpoints.forEach(endpoint -> mount(routers.of(endpoint.path()), endpoint));
        endpoints.stream().map(Endpoint::path).distinct().forEach(path -> mountWrongMethod(routers.of(path), path));
        routers.mount(router);
        new NotFoundPages(loop.pages()).mount(router, compressor);
    }

    /** Reads what requests must not wait for; to be called before the first one. Never fails. */
    public Future<Void> start() {
        return Future.join(features.stream().map(ApiFeature::start).toList())
                .transform(started -> loop.switches().start(loop.vertx()));
    }

    /** Ends what the features do by themselves; to be called when no request is under way any more. Never fails. */
    public Future<Void> close() {
        return Future.join(features.stream().map(ApiFeature::close).toList()).mapEmpty();
    }

    private void mount(Router router, Endpoint endpoint) {
        RequestTimers timers = new RequestTimers(metrics, endpoint);
        Route route = router.route(endpoint.path());
        methods(endpoint).forEach(route::method);
        route.handler(ctx -> {
            Problems.routed(ctx, endpoint.path());
            Timer.Sample sample = timers.start();
            bodies.beginTime(ctx, endpoint);
            ctx.addEndHandler(end -> {
                bodies.endTime(ctx, endpoint);
                timers.stop(sample, ctx.response().getStatusCode());
            });
            serve(ctx, endpoint);
        });
    }

    private void mountWrongMethod(Router router, String path) {
        List<HttpMethod> taken = endpoints.stream()
                .filter(endpoint -> endpoint.path().equals(path))
                .flatMap(endpoint -> methods(endpoint).stream())
                .toList();
        MethodNotAllowed.mount(router, path, taken);
    }

    /** HEAD is answered wherever GET is. */
    private static List<HttpMethod> methods(Endpoint endpoint) {
        return endpoint.method().equals(HttpMethod.GET)
                ? List.of(HttpMethod.GET, HttpMethod.HEAD)
                : List.of(endpoint.method());
    }

    private void serve(RoutingContext ctx, Endpoint endpoint) {
        call(ctx, endpoint)
                .compose(endpoint.action()::answer)
                .onComplete(answer -> send(ctx, endpoint, answer), cause -> refuse(ctx, endpoint, cause));
    }

    /** A browser that comes without an account where one is needed gets the web client, which asks to log in. */
    private void refuse(RoutingContext ctx, Endpoint endpoint, Throwable cause) {
        boolean isPage = Refusal.isFor(Refusal.Reason.UNAUTHENTICATED, cause)
                && endpoint.access().equals(Access.OPEN)
                && gate.needsAccount(endpoint)
                && NotFoundPages.isForPeople(ctx);
        if (isPage) {
            send(
                    ctx,
                    endpoint,
                    WebRoutes.page(loop.pages(), loop.pages().shell(WebRoutes.words(ctx.request())))
                            .status(401)
                            .header("WWW-Authenticate", "Bearer realm=\"Fanfare\"")
                            .header("Cache-Control", "no-store"));
        } else {
            Problems.answer(ctx, cause);
        }
    }

    /** It has come in time; a long one may take as long as its reader likes. */
    private void send(RoutingContext ctx, Endpoint endpoint, Answer answer) {
        bodies.endTime(ctx, endpoint);
        answer.send(ctx.request(), compressor);
    }

    /** The body comes last: nobody has it read who may not ask, or asks too often. */
    private Future<Call> call(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.isConstant()) {
            MultiMap nothing = MultiMap.caseInsensitiveMultiMap();
            return Future.succeededFuture(new Call(
                    ctx.request(), nothing, null, Parameters.none(), ctx.pathParam("id"), ctx.pathParam("name")));
        }
        try {
            gate.check(endpoint);
        } catch (Refusal refusal) {
            return Future.failedFuture(refusal);
        }
        boolean readsToken = endpoint.access().readsToken() || gate.needsAccount(endpoint);
        String token = readsToken ? sessions.bearerOrToken(ctx.request()) : null;
        bodies.hold(ctx, endpoint);
        return identify(ctx, endpoint, token)
                .compose(principal -> count(ctx, endpoint, principal))
                .compose(principal -> bodies.parameters(ctx, endpoint, principal)
                        .onSuccess(given -> bodies.beginHash(ctx, endpoint))
                        .map(given -> {
                            gate.checkFiles(given.hasFiles());
                            if (endpoint.method().equals(HttpMethod.GET)) {
                                given.refuseLaterThan(clock.millis() + CURSOR_AHEAD_MILLIS);
                            }
                            return given;
                        })
                        .map(given -> new Call(
                                ctx.request(),
                                ctx.queryParams(),
                                principal,
                                given,
                                ctx.pathParam("id"),
                                ctx.pathParam("name"))));
    }

    private Future<Principal> identify(RoutingContext ctx, Endpoint endpoint, String token) {
        Future<Principal> identified = endpoint.access().unconfirmed() && token != null
                ? loop.tokens().verifyUnconfirmed(token)
                : authentication.identify(token);
        return identified
                .map(principal -> {
                    gate.checkReader(endpoint, principal);
                    return check(ctx, endpoint.access(), principal);
                })
                .recover(cause -> refused(ctx, cause));
    }

    private Principal check(RoutingContext ctx, Access access, Principal principal) {
        try {
            return access.check(principal);
        } catch (Refusal refusal) {
            if (refusal.reason() == Refusal.Reason.FORBIDDEN) {
                loop.audit()
                        .note(
                                ctx.request(),
                                AuditLog.Event.SCOPE_REFUSED,
                                AuditLog.Reason.BEYOND_TOKEN,
                                AuditLog.Subject.of(principal));
            }
            throw refusal;
        }
    }

    /** Counts a refused token against the limit of its address, so trying tokens is as limited as sending none. */
    private Future<Principal> refused(RoutingContext ctx, Throwable cause) {
        if (!(cause instanceof Refusal)) {
            return Future.failedFuture(cause);
        }
        return rates.take(ctx.request(), null, RateLimit.REQUESTS).compose(counted -> Future.failedFuture(cause));
    }

    /** Every request counts, and against the limit of what it does as well; nothing is done before that. */
    private Future<Principal> count(RoutingContext ctx, Endpoint endpoint, Principal principal) {
        RateLimit own = endpoint.limit();
        Future<Void> counted = rates.take(ctx.request(), principal, RateLimit.REQUESTS);
        return own == RateLimit.REQUESTS
                ? counted.map(principal)
                : counted.compose(passed -> rates.take(ctx.request(), principal, own))
                        .map(principal);
    }
}
