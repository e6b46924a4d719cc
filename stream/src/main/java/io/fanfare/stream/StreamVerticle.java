package io.fanfare.stream;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.siteblock.KnownBlocks;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.LinkMetrics;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.CommonHandlers;
import io.fanfare.server.http.ConnectionLimiter;
import io.fanfare.server.http.ConnectionMetrics;
import io.fanfare.server.http.NetworkGate;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.stream.access.StreamParts;
import io.fanfare.stream.routes.StreamRoutes;
import io.fanfare.stream.session.StreamHub;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The stream role on a server of its own, one instance per event loop; in {@code up} its parts share the API's server
 * instead. Undeploying it ends its streams with a hint to come back.
 */
public final class StreamVerticle extends VerticleBase {
    private final Settings settings;
    private final SigningKeys keys;
    private final Clock clock;
    private final LongSupplier nanos;
    private final SecureRandom random;
    private final StreamMonitor monitor;
    private final BodyBudget bodies;
    private final ServerTls tls;

    private RedisLink link;
    private StreamHub hub;
    private HttpServer server;

    /** One that speaks plain HTTP, whatever the settings say. */
    public StreamVerticle(
            Settings settings,
            SigningKeys keys,
            Clock clock,
            LongSupplier nanos,
            SecureRandom random,
            StreamMonitor monitor,
            BodyBudget bodies) {
        this(settings, keys, clock, nanos, random, monitor, bodies, ServerTls.NONE);
    }

    /**
     * @param keys of access tokens
     * @param nanos elapsed time
     * @param monitor of the process
     * @param bodies of requests, of all roles of the process
     */
    public StreamVerticle(
            Settings settings,
            SigningKeys keys,
            Clock clock,
            LongSupplier nanos,
            SecureRandom random,
            StreamMonitor monitor,
            BodyBudget bodies,
            ServerTls tls) {
        this.settings = settings;
        this.keys = keys;
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
        this.monitor = monitor;
        this.bodies = bodies;
        this.tls = tls;
    }

    @Override
    public Future<?> start() {
        return RedisLink.open(vertx, settings.redis().options(), new LinkMetrics(monitor.registry(), "stream"))
                .compose(this::listenToLog)
                .compose(started -> serve())
                .recover(this::giveUp);
    }

    /** A verticle that did not start is not stopped either. */
    private Future<HttpServer> giveUp(Throwable cause) {
        Future<Void> unheard = hub == null ? Future.succeededFuture() : hub.close();
        return unheard.eventually(() -> link == null ? Future.succeededFuture() : link.close())
                .transform(done -> Future.failedFuture(cause));
    }

    @Override
    public Future<?> stop() {
        return hub.drain()
                .compose(drained -> server.close())
                .eventually(hub::close)
                .eventually(link::close);
    }

    /** The port that is listened on: the one given out when the setting is 0. */
    public int port() {
        return server.actualPort();
    }

    /** Its streams, for tests. */
    StreamHub hub() {
        return hub;
    }

    private Future<Void> listenToLog(RedisLink opened) {
        link = opened;
        hub = new StreamHub(
                vertx,
                link,
                new Statuses(link, settings),
                random,
                nanos,
                clock,
                settings.stream(),
                settings.http().eventLoops());
        return hub.start().onSuccess(relaying -> monitor.add(hub));
    }

    private Future<HttpServer> serve() {
        Router router = Router.router(vertx);
        KnownBlocks blocks = new KnownBlocks(new SiteBlocks(link, clock), clock);
        ConnectionLimiter connectionLimiter =
                new ConnectionLimiter(settings.http(), new ConnectionMetrics(monitor.registry()));
        NetworkGate gate = new NetworkGate(new ClientAddress(settings.http().trustedProxies()), blocks);
        new CommonHandlers(random, connectionLimiter, clock, gate::refuses).mount(router);
        Tokens tokens = new Tokens(link, keys, clock, nanos, random);
        new StreamRoutes(new StreamParts(
                        vertx,
                        hub,
                        link,
                        tokens,
                        new Graph(link, settings),
                        new Accounts(link, new Shards(settings.redis().shards()), random),
                        blocks,
                        random,
                        StreamParts.sampleSalt(keys),
                        StreamParts.cookieKeys(keys),
                        bodies,
                        settings))
                .mount(router);
        server = vertx.createHttpServer(tls.secured(CommonHandlers.options(settings.http())))
                .connectionHandler(connectionLimiter::opened)
                .invalidRequestHandler(CommonHandlers::refuse)
                .requestHandler(router);
        return blocks.start(vertx).compose(known -> server.listen());
    }
}
