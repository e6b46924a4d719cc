package io.fanfare.server.runtime;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Rights;
import io.fanfare.secret.Secret;
import io.fanfare.server.http.ConnectionLimiter;
import io.fanfare.server.http.ConnectionMetrics;
import io.fanfare.server.http.RequestBody;
import io.fanfare.vertx.LoopContext;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.HostAndPort;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The operator's server: {@code /livez} (every event loop turns, or the process still starts, for which it has a
 * {@link StartDeadline}), {@code /readyz} (it is at work, every event loop answers at once, Redis answers and no part
 * is in trouble; else 503 and why), {@code /metrics} (Prometheus), and the pages of the parts; a {@link ManagementSite}
 * looks after itself. It asks for {@code management.token} where one is set. Where none is, it listens to the machine
 * itself only, and answers requests for an address, for localhost or for {@code management.host}: a web page whose name
 * somebody has pointed at this machine asks for that name. One event loop.
 */
final class Management extends VerticleBase {
    private static final Command PING = Command.routed("PING", null);

    /** Changes nothing, but is refused where writes are: by a replica, a full disk, a master without its replicas. */
    private static final Command WRITE = Command.of("HDEL", Keys.META, "probe");

    private static final List<String> OWN = List.of("/livez", "/readyz", "/metrics");
    private static final String FOREIGN_NAME =
            "Ask for an IP address, localhost or management.host, or set management.token";
    private static final long PAGE_SECONDS_MAX = 5;

    /** Longer than a collection of garbage takes: what is not live is ended and started again. */
    private static final Duration LIVE_MAX = Duration.ofSeconds(5);

    private static final Duration READY_MAX = Duration.ofSeconds(1);

    /** Monitors are few, and each of them comes again when it is refused. */
    private static final int CONNECTIONS_MAX = 64;

    private static final long UNSENT_BYTES_MAX = 16 << 20;
    private static final int IDLE_SECONDS_MAX = 30;

    /** The time for the body of a request to the site, which is short. */
    private static final Duration BODY_MAX = Duration.ofSeconds(5);

    private static final int REQUEST_LINE_CHARS_MAX = 2 << 10;
    private static final int HEADER_BYTES_MAX = 8 << 10;

    private final Settings settings;
    private final PrometheusMeterRegistry metrics;
    private final Supplier<Health> health;
    private final InstantSource clock;
    private HttpServer server;
    private LoopProbe loops;
    // Null until Redis has answered for the first time.
    private RedisLink redis;
    private RightsWatch rights;
    private MoveWatch moves;
    // Written by the thread that deploys the parts.
    private volatile List<Component> components = List.of();
    // Null until the process has joined its data set, and where it has none.
    private ManagementSite site;

    Management(Settings settings, PrometheusMeterRegistry metrics, Supplier<Health> health, InstantSource clock) {
        this.settings = settings;
        this.metrics = metrics;
        this.health = health;
        this.clock = clock;
    }

    /** Listens at once, so that a start that hangs can be looked at. */
    @Override
    public Future<?> start() {
        loops = new LoopProbe(vertx);
        HttpServerOptions options = options();
        ConnectionLimiter connectionLimiter =
                new ConnectionLimiter(options, CONNECTIONS_MAX, UNSENT_BYTES_MAX, new ConnectionMetrics(metrics));
        server = vertx.createHttpServer(options)
                .connectionHandler(connectionLimiter::opened)
                .requestHandler(request -> admit(request, connectionLimiter));
        return server.listen(settings.management().port(), settings.management().host())
                .recover(e -> Future.failedFuture(StartFailed.listening(
                        "management",
                        settings.management().host(),
                        settings.management().port(),
                        e)))
                .compose(listening -> RedisStart.waitFor(
                        vertx,
                        () -> health.get() == Health.DRAINING,
                        () -> RedisLink.open(vertx, settings.redis().options())))
                .onSuccess(this::connected);
    }

    private void connected(RedisLink opened) {
        redis = opened;
        SecureRandom random = new SecureRandom();
        Rights known = Rights.of(vertx, settings.redis().options());
        rights = RightsWatch.start(vertx, opened, known, () -> Long.toHexString(random.nextLong()));
        moves = MoveWatch.start(vertx, opened, known, settings.redis().shards());
    }

    @Override
    public Future<?> stop() {
        if (rights != null) {
            rights.close();
            moves.close();
        }
        Future<?> ended = site == null ? Future.succeededFuture() : site.stop();
        return ended.transform(stopped -> redis == null ? Future.succeededFuture() : redis.close());
    }

    int port() {
        return server.actualPort();
    }

    /** From now on shows these parts, too. For any thread. */
    void show(List<Component> parts) {
        components = List.copyOf(parts);
    }

    /** From now on serves the site. For any thread. */
    Future<Void> serve(ManagementSite added) {
        Promise<Void> served = Promise.promise();
        context.runOnContext(turn -> added.start(vertx, components)
                .onSuccess(started -> site = added)
                .<Void>mapEmpty()
                .onComplete(served));
        return served.future();
    }

    /** Limits for requests, which are short here. */
    private static HttpServerOptions options() {
        return new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS_MAX)
                .setMaxInitialLineLength(REQUEST_LINE_CHARS_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setHttp2ClearTextEnabled(false);
    }

    private void admit(HttpServerRequest request, ConnectionLimiter connectionLimiter) {
        boolean reads =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        boolean bodiless = RequestBody.declared(request) == 0;
        if (connectionLimiter.refusal(request.connection()) != null) {
            refuse(request, 503, "As many connections as may be are open: close some");
        } else if (isForSite(request)) {
            visit(request, bodiless);
        } else if (!reads || !bodiless) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            refuse(request, 405, "Ask with GET, without a body");
        } else if (!isAuthorized(request)) {
            request.response().putHeader("WWW-Authenticate", "Bearer realm=\"Fanfare management\"");
            refuse(request, 401, "Send management.token as Authorization: Bearer TOKEN");
        } else if (!settings.management().token().isSet() && !isNameOfOurs(request)) {
            refuse(request, 421, FOREIGN_NAME);
        } else {
            answer(request);
        }
    }

    private boolean isForSite(HttpServerRequest request) {
        return site != null
                && (request.path().equals(site.path()) || request.path().startsWith(site.path() + "/"));
    }

    private void visit(HttpServerRequest request, boolean bodiless) {
        if (!settings.management().token().isSet() && !isNameOfOurs(request)) {
            refuse(request, 421, FOREIGN_NAME);
            return;
        }
        if (!bodiless) {
            long timer = vertx.setTimer(BODY_MAX.toMillis(), late -> late(request));
            request.end().onComplete(came -> {
                boolean unused = vertx.cancelTimer(timer);
            });
        }
        site.handle(request);
    }

    /**
     * Ends a request that lasts too long. A client that sends a byte now and then is not idle and would hold the
     * connection for days.
     */
    private static void late(HttpServerRequest request) {
        if (request.response().headWritten()) {
            request.connection().close().onFailure(gone -> {});
        } else {
            refuse(request, 408, "Send the whole body within " + BODY_MAX.toSeconds() + " s");
        }
    }

    /** The connection ends as well, with whatever else comes on it. */
    private static void refuse(HttpServerRequest request, int status, String error) {
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        json(request.response(), status, new JsonObject().put("error", error));
        request.connection().close().onFailure(gone -> {});
    }

    /** Takes as long whatever part of the token is right. */
    private boolean isAuthorized(HttpServerRequest request) {
        Secret token = settings.management().token();
        String given = request.getHeader(HttpHeaders.AUTHORIZATION);
        return !token.isSet()
                || (given != null
                        && MessageDigest.isEqual(
                                given.getBytes(StandardCharsets.UTF_8),
                                ("Bearer " + token.reveal()).getBytes(StandardCharsets.UTF_8)));
    }

    /** Not to be had by changing the DNS. Browsers, which that is about, always say for whom a request is. */
    private boolean isNameOfOurs(HttpServerRequest request) {
        if (request.getHeader(HttpHeaders.HOST) == null) {
            return true;
        }
        HostAndPort authority = request.authority();
        String host = authority == null ? "" : authority.host().replaceAll("^\\[|]$", "");
        return host.equalsIgnoreCase("localhost")
                || host.equalsIgnoreCase(settings.management().host())
                || NetUtil.isValidIpV4Address(host)
                || NetUtil.isValidIpV6Address(host);
    }

    private void answer(HttpServerRequest request) {
        switch (request.path()) {
            case "/livez" -> liveness(request.response());
            case "/readyz" -> readiness(request.response());
            case "/metrics" -> scrape(request.response());
            default -> page(request);
        }
    }

    private void liveness(HttpServerResponse response) {
        if (health.get() == Health.STARTING) {
            json(response, 200, new JsonObject().put("status", "starting"));
            return;
        }
        loops.silent(LIVE_MAX)
                .onSuccess(silent -> json(
                        response,
                        silent == 0 ? 200 : 503,
                        silent == 0
                                ? new JsonObject().put("status", "live")
                                : new JsonObject().put("status", "stuck").put("reason", stuck(silent, LIVE_MAX))))
                .onFailure(e -> json(response, 503, new JsonObject().put("status", "failed")));
    }

    private String stuck(int silent, Duration max) {
        return silent + " of " + loops.loops() + " event loops have not answered for " + max.toSeconds() + " s.";
    }

    private void readiness(HttpServerResponse response) {
        boolean writes = components.stream().anyMatch(Component::writes);
        Future<Reply> ping =
                redis == null ? Future.failedFuture("not connected yet") : redis.send(writes ? WRITE : PING);
        Future<List<String>> clocks = redis == null
                ? Future.succeededFuture(List.of())
                : ClockComparison.differences(redis, clock, READY_MAX);
        Future<Integer> silent = loops.silent(READY_MAX);
        silent.compose(stuck -> ping.transform(answered -> clocks).map(stuck))
                .onSuccess(stuck -> readiness(response, ping.cause(), stuck, writes, clocks.result()))
                .onFailure(e -> json(response, 503, new JsonObject().put("status", "failed")));
    }

    /**
     * @param cause why Redis does not answer as it should; null = it does
     * @param clocks which clocks differ, in sentences; no trouble for who gives out no ids
     */
    private void readiness(
            HttpServerResponse response, Throwable cause, int silent, boolean writes, List<String> clocks) {
        Health now = health.get();
        JsonObject body = new JsonObject()
                .put("status", now.name().toLowerCase(Locale.ROOT))
                .put("redis", cause == null ? "up" : cause.getMessage());
        if (!clocks.isEmpty()) {
            body.put("clocks", String.join(" ", clocks));
        }
        Optional<String> trouble = silent > 0
                ? Optional.of(stuck(silent, READY_MAX))
                : components.stream()
                        .flatMap(component -> component.probe().trouble().stream())
                        .findFirst()
                        .or(() -> clocks.stream().filter(clock -> writes).findFirst());
        String missing = rights == null ? null : rights.trouble();
        boolean away = cause != null || missing != null;
        boolean refusesWrites = cause instanceof RedisError error && error.refusesWrites();
        Optional<String> left = moves == null ? Optional.empty() : moves.status();
        if (now == Health.READY && left.isPresent()) {
            body.put("status", left.get()).put("reason", missing);
        } else if (now == Health.READY && missing != null) {
            body.put("status", "rights are missing").put("reason", missing);
        } else if (now == Health.READY && away) {
            body.put("status", refusesWrites ? "redis takes no writes" : "redis is away");
        } else if (now == Health.READY && trouble.isPresent()) {
            body.put("status", "in trouble").put("reason", trouble.get());
        }
        json(response, now == Health.READY && !away && trouble.isEmpty() ? 200 : 503, body);
    }

    private void page(HttpServerRequest request) {
        Map<String, HealthProbe.Page> pages = new TreeMap<>();
        components.forEach(component -> pages.putAll(component.probe().pages()));
        HealthProbe.Page page = pages.get(request.path());
        if (page == null) {
            String others = String.join(
                    "", pages.keySet().stream().map(path -> ", " + path).toList());
            json(
                    request.response(),
                    404,
                    new JsonObject().put("error", "Not here: " + String.join(", ", OWN) + others + " are"));
            return;
        }
        LoopContext.current(vertx)
                .within(TimeUnit.SECONDS.toMillis(PAGE_SECONDS_MAX), page.show(request.params()))
                .onSuccess(shown -> json(request.response(), 200, shown))
                .onFailure(e -> json(request.response(), 503, new JsonObject().put("error", "Too busy to answer")));
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
