package io.fanfare.common.runtime;

import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The operator's server: {@code /livez} (the process answers), {@code /readyz} (it is at work and Redis answers; else 503 and why), {@code /metrics} (Prometheus). One event
 * loop.
 */
final class Management extends VerticleBase {
    private final Settings settings;
    private final PrometheusMeterRegistry metrics;
    private final Supplier<Health> health;
    private HttpServer server;
    // Null until Redis has answered for the first time.
    private RedisLink redis;

    Management(Settings settings, PrometheusMeterRegistry metrics, Supplier<Health> health) {
        this.settings = settings;
        this.metrics = metrics;
        this.health = health;
    }

    /** Listens at once, so that a start that hangs can be looked at. */
    @Override
    public Future<?> start() {
        server = vertx.createHttpServer().requestHandler(this::answer);
        return server.listen(settings.management().port(), settings.management().host())
                .recover(e -> Future.failedFuture(StartFailed.listening(
                        "management",
                        settings.management().host(),
                        settings.management().port(),
                        e)))
                .compose(listening -> RedisLink.open(vertx, settings.redis()))
                .onSuccess(opened -> redis = opened);
    }

    @Override
    public Future<?> stop() {
        return redis == null ? Future.succeededFuture() : redis.close();
    }

    int port() {
        return server.actualPort();
    }

    private void answer(HttpServerRequest request) {
        switch (request.path()) {
            case "/livez" -> json(request.response(), 200, new JsonObject().put("status", "live"));
            case "/readyz" -> readiness(request.response());
            case "/metrics" -> scrape(request.response());
            default ->
                json(request.response(), 404, new JsonObject().put("error", "Not here: /livez, /readyz, /metrics are"));
        }
    }

    private void readiness(HttpServerResponse response) {
        Future<String> ping = redis == null
                ? Future.succeededFuture("not connected yet")
                : redis.send(Command.routed("PING", null)).map("up").otherwise(Throwable::getMessage);
        ping.onSuccess(answer -> {
                    Health now = health.get();
                    boolean ready = now == Health.READY && answer.equals("up");
                    String status = now == Health.READY && !ready
                            ? "redis is away"
                            : now.name().toLowerCase(Locale.ROOT);
                    json(
                            response,
                            ready ? 200 : 503,
                            new JsonObject().put("status", status).put("redis", answer));
                })
                .onFailure(e -> json(response, 503, new JsonObject().put("status", "failed")));
    }

    /** Off the event loop: walking every meter takes milliseconds. */
    private void scrape(HttpServerResponse response) {
        vertx.executeBlocking(() -> metrics.scrape())
                .onSuccess(text ->
                        send(response.putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8"), text))
                .onFailure(e -> json(response, 500, new JsonObject().put("error", "The metrics cannot be read")));
    }

    private static void json(HttpServerResponse response, int status, JsonObject body) {
        send(response.setStatusCode(status).putHeader("content-type", "application/json"), body.encode());
    }

    /** A client that has gone meanwhile is no failure of ours. */
    private static void send(HttpServerResponse response, String body) {
        response.end(body).onFailure(gone -> {});
    }
}
