package io.fanfare.bench.load;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;

/**
 * The servers of {@code bench home}, in a process of their own so that their processor time can be told from the load
 * generator's: the API on one event loop, and on another a bare handler that answers a static body of as many bytes as
 * the path says ({@code /10240}), with {@link #READING} behind it after a read of Redis; a worker only
 * {@link #WITH_WORKER}. Settings come from the environment. Prints {@code ready <API port> <bare port>}, answers
 * {@link #PULLS} and {@link StageProfile}, and ends when its standard input does.
 */
public final class HomeServer {
    /** The option for Java that starts a worker as well, on an event loop of its own. */
    public static final String WITH_WORKER = "-Dbench.worker=true";

    /** Asks how many authors pages of homes have pulled so far. */
    public static final String PULLS = "pulls";

    /** The end of a path that has the bare handler send a {@code GET} to Redis and wait for its reply. */
    public static final String READING = "/read";

    private static final int BODY_MAX = 1 << 20;

    private HomeServer() {}

    /** Started by {@link ServerProcess}. */
    public static void main(String[] args) throws IOException {
        Settings settings =
                SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.environment(System.getenv())));
        boolean withWorker = Boolean.getBoolean("bench.worker");
        Vertx vertx = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(withWorker ? 3 : 2).setPreferNativeTransport(true));
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        ServerProcess.serve(
                RedisLink.open(vertx, settings.redis().options())
                        .compose(link -> api(vertx, link, settings, withWorker, metrics)
                                .compose(api -> bare(vertx, link).map(bare -> api + " " + bare))),
                pulls -> Long.toString(
                        (long) metrics.get("fanfare.homes.pulls").counter().count()));
    }

    private static Future<Integer> api(
            Vertx vertx, RedisLink link, Settings settings, boolean withWorker, SimpleMeterRegistry metrics) {
        Meta meta = new Meta(link, new SecureRandom());
        return meta.join(settings.redis().shards()).compose(shards -> meta.signingKeys(settings.auth())
                .compose(keys -> ServerUnderLoad.start(vertx, settings, shards, keys, withWorker, metrics)));
    }

    /** A server as fast as can be: no routes, no token, one buffer; at most one read of a key that does not exist. */
    private static Future<Integer> bare(Vertx vertx, RedisLink link) {
        Buffer body = Buffer.buffer("x".repeat(BODY_MAX));
        Command read = Command.of("GET", Keys.user(1));
        return vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> {
                    String path = request.path();
                    boolean reads = path.endsWith(READING);
                    int end = reads ? path.length() - READING.length() : path.length();
                    int size = Integer.parseInt(path, 1, end, 10);
                    Future<?> before = reads ? link.send(read) : Future.succeededFuture();
                    before.compose(done -> request.response()
                                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                                    .end(body.slice(0, size)))
                            .onFailure(cause -> request.connection().close().onFailure(closed -> {}));
                })
                .listen()
                .map(server -> server.actualPort());
    }
}
