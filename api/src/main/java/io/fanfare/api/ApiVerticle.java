package io.fanfare.api;

import io.fanfare.common.auth.Tokens;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.LoopStores;
import io.fanfare.redis.LinkMetrics;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.CommonHandlers;
import io.fanfare.server.http.ConnectionLimiter;
import io.fanfare.server.http.ConnectionMetrics;
import io.fanfare.server.http.NetworkGate;
import io.fanfare.server.runtime.LocalUrl;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.util.concurrent.TimeUnit;

/**
 * The API alone on a server of its own; deploy one per event loop, they share the port. Stopping lets requests under
 * way end, within the request time limit.
 */
public final class ApiVerticle extends VerticleBase {
    private final ApiParts parts;
    private final ServerTls tls;
    private RedisLink redis;
    private HttpServer server;
    private ApiRoutes routes;

    /** One that speaks plain HTTP, whatever the settings say. */
    public ApiVerticle(ApiParts parts) {
        this(parts, ServerTls.NONE);
    }

    public ApiVerticle(ApiParts parts, ServerTls tls) {
        this.parts = parts;
        this.tls = tls;
    }

    /** The port it listens on; known once it is deployed. */
    public int port() {
        return server.actualPort();
    }

    @Override
    public Future<?> start() {
        return RedisLink.openTracking(
                        vertx, parts.settings().redis().options(), new LinkMetrics(parts.metrics(), "api"))
                .onSuccess(opened -> redis = opened)
                .compose(opened -> listen())
                .recover(this::giveUp);
    }

    /** A verticle that did not start is not stopped either. */
    private Future<HttpServer> giveUp(Throwable cause) {
        Future<Void> closed = redis == null ? Future.succeededFuture() : redis.close();
        return closed.transform(done -> Future.failedFuture(cause));
    }

    @Override
    public Future<?> stop() {
        return server.shutdown(parts.settings().http().requestTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .eventually(routes::close)
                .eventually(redis::close);
    }

    private Future<HttpServer> listen() {
        Settings.Http http = parts.settings().http();
        Router router = Router.router(vertx);
        ConnectionLimiter connectionLimiter = new ConnectionLimiter(http, new ConnectionMetrics(parts.metrics()));
        server = vertx.createHttpServer(tls.secured(CommonHandlers.options(http)))
                .connectionHandler(connectionLimiter::opened)
                .requestHandler(router)
                .invalidRequestHandler(CommonHandlers::refuse);
        if (http.port() == 0 && http.publicUrl().isEmpty()) {
            // Any free port, which the routes need for URLs.
            return server.listen().compose(listening -> mount(router, connectionLimiter, listening.actualPort())
                    .map(listening));
        }
        // Before the first connection is accepted: a request that finds no route gets a 404.
        return mount(router, connectionLimiter, http.port()).compose(mounted -> server.listen());
    }

    /** Completes when what answers depend on is known: the custom emojis, the blocks of the site. */
    private Future<Void> mount(Router router, ConnectionLimiter connectionLimiter, int port) {
        Settings.Http http = parts.settings().http();
        String publicUrl = http.publicUrl().isEmpty() ? LocalUrl.of(http, port) : http.publicUrl();
        LoopStores stores = parts.stores(redis, publicUrl);
        Tokens tokens = new Tokens(redis, parts.keys(), parts.clock(), parts.nanos(), parts.random());
        NetworkGate gate = new NetworkGate(new ClientAddress(http.trustedProxies()), stores.siteBlocks());
        new CommonHandlers(parts.random(), connectionLimiter, parts.clock(), gate::refuses).mount(router);
        LoopContext loop = LoopContext.current(vertx);
        // In turns of their own: each takes long where classes are still to be loaded.
        return loop.inLaterTurn(() -> routes = ApiRoutes.compose(vertx, redis, stores, tokens, parts, publicUrl))
                .compose(composed -> loop.inLaterTurn(() -> routes.mount(router)))
                .compose(mounted -> stores.emojis().start(vertx))
                .compose(known -> stores.siteBlocks().start(vertx))
                .compose(known -> routes.start());
    }
}
