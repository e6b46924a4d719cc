package io.fanfare.app;

import io.fanfare.api.ApiParts;
import io.fanfare.api.ApiRoutes;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.LoopStores;
import io.fanfare.redis.LinkMetrics;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.CommonHandlers;
import io.fanfare.server.http.ConnectionLimiter;
import io.fanfare.server.http.ConnectionMetrics;
import io.fanfare.server.http.NetworkGate;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.stream.StreamMonitor;
import io.fanfare.stream.access.StreamParts;
import io.fanfare.stream.routes.StreamRoutes;
import io.fanfare.stream.session.StreamHub;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.util.concurrent.TimeUnit;

/**
 * API and streams on one server and port: two servers on one port would take connections in turn. One event loop;
 * deploy one per loop, they share the port. Stopping tells the streams, and lets requests under way end within their
 * time limit.
 */
final class HttpVerticle extends VerticleBase {
    private final ApiParts parts;
    private final Settings settings;
    private final StreamMonitor monitor;
    private final ServerTls tls;
    private RedisLink redis;
    private StreamHub hub;
    private Router router;
    private ApiRoutes api;
    private HttpServer server;

    HttpVerticle(ApiParts parts, StreamMonitor monitor, ServerTls tls) {
        this.parts = parts;
        this.monitor = monitor;
        this.tls = tls;
        this.settings = parts.settings();
    }

    /** The port it listens on; known once it is deployed. */
    int port() {
        return server.actualPort();
    }

    /** Everything that it serves; known once it is deployed. */
    Router router() {
        return router;
    }

    @Override
    public Future<?> start() {
        return RedisLink.openTracking(vertx, settings.redis().options(), new LinkMetrics(parts.metrics(), "api"))
                .onSuccess(opened -> redis = opened)
                .compose(opened -> listen())
                .recover(this::giveUp);
    }

    /** A verticle that did not start is not stopped either. */
    private Future<HttpServer> giveUp(Throwable cause) {
        Future<Void> unheard = hub == null ? Future.succeededFuture() : hub.close();
        return unheard.eventually(() -> redis == null ? Future.succeededFuture() : redis.close())
                .transform(done -> Future.failedFuture(cause));
    }

    @Override
    public Future<?> stop() {
        // Streams first: a server that shuts down would cut them off without a word, and refuse those who come back.
        return hub.drain()
                .compose(drained ->
                        server.shutdown(settings.http().requestTimeout().toMillis(), TimeUnit.MILLISECONDS))
                .eventually(api::close)
                .eventually(hub::close)
                .eventually(redis::close);
    }

    private Future<HttpServer> listen() {
        hub = new StreamHub(
                vertx,
                redis,
                new Statuses(redis, settings),
                parts.random(),
                parts.nanos(),
                parts.clock(),
                settings.stream(),
                settings.http().eventLoops());
        ConnectionLimiter connectionLimiter =
                new ConnectionLimiter(settings.http(), new ConnectionMetrics(parts.metrics()));
        LoopStores stores = parts.stores(redis, settings.http().publicUrl());
        Tokens tokens = new Tokens(redis, parts.keys(), parts.clock(), parts.nanos(), parts.random());
        router = Router.router(vertx);
        NetworkGate gate = new NetworkGate(new ClientAddress(settings.http().trustedProxies()), stores.siteBlocks());
        new CommonHandlers(parts.random(), connectionLimiter, parts.clock(), gate::refuses).mount(router);
        LoopContext loop = LoopContext.current(vertx);
        // In turns of their own: each takes long where classes are still to be loaded.
        return loop.inLaterTurn(() -> api = ApiRoutes.compose(
                        vertx, redis, stores, tokens, parts, settings.http().publicUrl()))
                .compose(composed -> loop.inLaterTurn(() -> api.mount(router)))
                .compose(mounted -> loop.inLaterTurn(() -> mountStreams(stores, tokens)))
                .compose(mounted -> hub.start())
                .onSuccess(relaying -> monitor.add(hub))
                .compose(relaying -> stores.emojis().start(vertx))
                .compose(known -> stores.siteBlocks().start(vertx))
                .compose(known -> api.start())
                .compose(known -> serve(connectionLimiter));
    }

    private Future<HttpServer> serve(ConnectionLimiter connectionLimiter) {
        server = vertx.createHttpServer(tls.secured(CommonHandlers.options(settings.http())))
                .connectionHandler(connectionLimiter::opened)
                .requestHandler(router)
                .invalidRequestHandler(CommonHandlers::refuse);
        return server.listen();
    }

    private void mountStreams(LoopStores stores, Tokens tokens) {
        new StreamRoutes(new StreamParts(
                        vertx,
                        hub,
                        redis,
                        tokens,
                        stores.graph(),
                        stores.accounts(),
                        stores.siteBlocks(),
                        parts.random(),
                        StreamParts.sampleSalt(parts.keys()),
                        StreamParts.cookieKeys(parts.keys()),
                        parts.bodies(),
                        settings))
                .mount(router);
    }
}
