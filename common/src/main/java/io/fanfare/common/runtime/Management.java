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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The operator's server: {@code /livez} (the process answers), {@code /readyz} (it is at work, Redis answers and no part is in trouble; else 503 and why), {@code /metrics} (Prometheus), and the pages of the parts. One event
 * loop.
 */
final class Management extends VerticleBase {
    private static final List<String> OWN = List.of("/livez", "/readyz", "/metrics");
    private static final long PAGE_SECONDS_MAX = 5;

    private final Settings settings;
    private final PrometheusMeterRegistry metrics;
    private final Supplier<Health> health;
    private HttpServer server;
    // Null until Redis has answered for the first time.
    private RedisLink redis;
    // Written by whoever deploys the parts.
    private volatile List<Inspection> inspections = List.of();

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

    /** From now on shows these parts, too. For any thread. */
    void show(List<Inspection> parts) {
        inspections = List.copyOf(parts);
    }

    private void answer(HttpServerRequest request) {
        switch (request.path()) {
            case "/livez" -> json(request.response(), 200, new JsonObject().put("status", "live"));
            case "/readyz" -> readiness(request.response());
            case "/metrics" -> scrape(request.response());
            default -> page(request);
        }
    }

    private void readiness(HttpServerResponse response) {
        Future<String> ping = redis == null
                ? Future.succeededFuture("not connected yet")
                : redis.send(Command.routed("PING", null)).map("up").otherwise(Throwable::getMessage);
        ping.onSuccess(answer -> readiness(response, answer))
                .onFailure(e -> json(response, 503, new JsonObject().put("status", "failed")));
    }

    /** @param redisAnswer {@code up}, or why there is none */
    private void readiness(HttpServerResponse response, String redisAnswer) {
        Health now = health.get();
        JsonObject body = new JsonObject()
                .put("status", now.name().toLowerCase(Locale.ROOT))
                .put("redis", redisAnswer);
        Optional<String> trouble =
                inspections.stream().flatMap(part -> part.trouble().stream()).findFirst();
        boolean away = !redisAnswer.equals("up");
        if (now == Health.READY && away) {
            body.put("status", "redis is away");
        } else if (now == Health.READY && trouble.isPresent()) {
            body.put("status", "in trouble").put("reason", trouble.get());
        }
        json(response, now == Health.READY && !away && trouble.isEmpty() ? 200 : 503, body);
    }

    private void page(HttpServerRequest request) {
        Map<String, Inspection.Page> pages = new TreeMap<>();
        inspections.forEach(part -> pages.putAll(part.pages()));
        Inspection.Page page = pages.get(request.path());
        if (page == null) {
            String others = String.join(
                    "", pages.keySet().stream().map(path -> ", " + path).toList());
            json(
                    request.response(),
                    404,
                    new JsonObject().put("error", "Not here: " + String.join(", ", OWN) + others + " are"));
            return;
        }
        page.show(request.params())
                .timeout(PAGE_SECONDS_MAX, TimeUnit.SECONDS)
                .onSuccess(shown -> json(request.response(), 200, shown))
                .onFailure(e -> json(request.response(), 503, new JsonObject().put("error", "Too busy to tell")));
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
