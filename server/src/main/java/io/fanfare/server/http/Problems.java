package io.fanfare.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.view.Json;
import io.fanfare.redis.RedisError;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Errors on the wire: {@code {"error": "..."}}, with {@code details} by field for a 422. The one place that knows HTTP
 * status codes of a {@link io.fanfare.common.model.Refusal}; a {@link io.fanfare.redis.RedisError} is 503 with
 * Retry-After; anything else is our fault: 500, generic text, one ERROR line.
 */
public final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final List<Integer> STATUSES = List.of(400, 401, 403, 404, 405, 408, 413, 414, 415, 431, 500, 503);
    private static final String RETRY_SECONDS = "2";

    /**
     * The key in a request of its route's pattern, under which its failure is answered: Vert.x has forgotten it by
     * then.
     */
    private static final String ROUTE = "fanfare.route";

    private Problems() {}

    /** Notes the pattern of the route that serves a request. */
    public static void routed(RoutingContext ctx, String pattern) {
        ctx.put(ROUTE, pattern);
    }

    /** The error that is sent: a status, a sentence, and the faults by field. */
    private record Problem(int status, String error, Map<String, List<Refusal.Detail>> details) {}

    /**
     * Answers in our form what no route answers and what Vert.x refuses by itself: unknown paths, wrong methods, bodies
     * over their limit.
     */
    public static void mount(Router router) {
        STATUSES.forEach(status -> router.errorHandler(status, ctx -> answer(ctx, ctx.failure())));
    }

    /**
     * Answers the failure of a request; does nothing when the answer has begun.
     *
     * @param cause null = the status that the context failed with says it all
     */
    public static void answer(RoutingContext ctx, Throwable cause) {
        HttpServerResponse response = ctx.response();
        if (response.headWritten() || response.ended() || response.closed()) {
            return;
        }
        Problem problem = problem(ctx, cause);
        if (problem.status() == 503 || problem.status() == 429) {
            boolean hasDelay = cause instanceof Refusal refusal && refusal.retrySeconds() > 0;
            response.putHeader(
                    HttpHeaders.RETRY_AFTER,
                    hasDelay ? Long.toString(((Refusal) cause).retrySeconds()) : RETRY_SECONDS);
        }
        // The header of another scheme has been set before.
        if (problem.status() == 401 && !response.headers().contains("WWW-Authenticate")) {
            response.putHeader("WWW-Authenticate", "Bearer realm=\"Fanfare\"");
        }
        response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(Buffer.buffer(body(problem)))
                .onFailure(gone -> LOG.debug("client gone before its error path={}", ctx.normalizedPath()));
    }

    private static Problem problem(RoutingContext ctx, Throwable cause) {
        if (cause instanceof Refusal refusal) {
            return new Problem(statusOf(refusal.reason()), refusal.getMessage(), refusal.details());
        }
        if (cause instanceof RedisError error && error.passing()) {
            LOG.debug("redis refused a request kind={}", error.kind());
            return new Problem(503, sentence(ctx, error), Map.of());
        }
        int status = cause instanceof HttpException refused ? refused.getStatusCode() : ctx.statusCode();
        if (status >= 400 && status != 500) {
            return new Problem(status, sentence(ctx, status), Map.of());
        }
        String requestId = ctx.response().headers().get(CommonHandlers.REQUEST_ID);
        LOG.error(
                "request failed method={} route={} requestId={}", ctx.request().method(), route(ctx), requestId, cause);
        return new Problem(
                500,
                "Something went wrong on our side: it has been noted under the X-Request-Id of this answer. Try again later.",
                Map.of());
    }

    /** The HTTP status of a refusal; the WebSocket uses it in its error messages. */
    public static int statusOf(Refusal.Reason reason) {
        return switch (reason) {
            case MALFORMED -> 400;
            case UNAUTHENTICATED -> 401;
            case FORBIDDEN, DELETED, PENDING, UNCONFIRMED -> 403;
            case NOT_FOUND -> 404;
            case WRONG_METHOD -> 405;
            case TOO_SLOW -> 408;
            case TOO_LARGE -> 413;
            case WRONG_TYPE -> 415;
            case INVALID -> 422;
            case TOO_MANY -> 429;
            case OVERLOADED -> 503;
        };
    }

    private static String sentence(RoutingContext ctx, RedisError error) {
        String wrong =
                switch (error.kind()) {
                    case OOM -> "The server's memory is full";
                    case READ_ONLY -> "The data store takes no writes at the moment, such as when its disk is full";
                    case RIGHTS -> "A right of this server in its data store is missing";
                    case CLOCKS -> "Nothing new can be stored, because " + error.getMessage();
                    case TRYAGAIN, ASK -> "The data that this needs moves to another server at the moment";
                    case LOST -> "The data store did not answer in time";
                    default -> "The data store cannot be reached at the moment";
                };
        return wrong + now(ctx, error);
    }

    /** A refused step was not done; earlier steps of the same operation may have been. */
    private static String now(RoutingContext ctx, RedisError error) {
        return switch (error.kind()) {
            case LOST -> whatNow(ctx);
            case RIGHTS -> ": try again when the operator of this server has given it back.";
            case CLOCKS -> ": try again when the operator of this server has set them.";
            default -> {
                if (repetition(ctx) == Repetition.SIGN_UP) {
                    yield whatNow(ctx);
                }
                yield switch (error.kind()) {
                    case OOM -> ": reading and deleting go on, try to write again later.";
                    case READ_ONLY -> ": reading goes on, try to write again later.";
                    case TRYAGAIN, ASK -> ": nothing was done, try again in a few seconds.";
                    default -> ": try again in a few seconds.";
                };
            }
        };
    }

    private static String sentence(RoutingContext ctx, int status) {
        return switch (status) {
            case 401 -> "This needs an access token: send it as Authorization: Bearer <token>.";
            case 403 -> "This is not allowed.";
            case 404 -> unoffered(ctx).orElse("There is nothing at this address: check the path.");
            case 405 ->
                unoffered(ctx)
                        .orElseGet(() -> "This address does not take "
                                + ctx.request().method() + ": see the Allow header for the methods that it takes.");
            case 408 -> "The request took too long to arrive: send it again.";
            case 413 -> "The body is too large: send less.";
            case 414 -> "The address is too long: send the parameters in the body of a POST.";
            case 415 -> "The body has a type that is not read here: send JSON or a form.";
            case 431 -> "The headers are too large: send fewer.";
            case 503 -> "The request could not be answered in time" + whatNow(ctx);
            default -> "The request is malformed: check its path, headers and body.";
        };
    }

    private static Optional<String> unoffered(RoutingContext ctx) {
        String path = ctx.request().path();
        return path == null
                ? Optional.empty()
                : UnsupportedFeatures.sentence(ctx.request().method().name(), path);
    }

    /** For an answer that did not come: what the caller may do, which depends on what a second request would do. */
    private static String whatNow(RoutingContext ctx) {
        return repetition(ctx).sentence();
    }

    private static Repetition repetition(RoutingContext ctx) {
        String route = ctx.get(ROUTE);
        String path = ctx.request().path();
        return Repetition.of(ctx.request().method().name(), route == null ? String.valueOf(path) : route);
    }

    private static byte[] body(Problem problem) {
        return Json.bytes(json -> {
            json.writeStartObject();
            write(json, problem.error(), problem.details());
            json.writeEndObject();
        });
    }

    /** The fields of a refusal, into an object that has others besides. */
    public static void write(JsonGenerator json, Refusal refusal) throws IOException {
        write(json, refusal.getMessage(), refusal.details());
    }

    private static void write(JsonGenerator json, String error, Map<String, List<Refusal.Detail>> details)
            throws IOException {
        json.writeStringField("error", error);
        if (details.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("details");
        for (Map.Entry<String, List<Refusal.Detail>> field : details.entrySet()) {
            json.writeArrayFieldStart(field.getKey());
            for (Refusal.Detail detail : field.getValue()) {
                json.writeStartObject();
                json.writeStringField("error", detail.error());
                json.writeStringField("description", detail.description());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** The route's pattern rather than the path: a path may hold what is nobody's business in a log. */
    private static String route(RoutingContext ctx) {
        String route = ctx.get(ROUTE);
        if (route != null) {
            return route;
        }
        return ctx.currentRoute() == null ? "none" : ctx.currentRoute().getPath();
    }
}
