package io.fanfare.bench.load;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
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
 * the path says ({@code /10240}); a worker only {@link #WITH_WORKER}. Settings come from the environment. Prints
 * {@code ready <API port> <bare port>}, answers {@link #PULLS} and {@link StageProfile}, and ends when its standard
 * input does.
 */
public final class HomeServer {
    /** The option for Java that starts a worker as well, on an event loop of its own. */
    public static final String WITH_WORKER = "-Dbench.worker=true";

    /** Asks how many authors pages of homes have pulled so far. */
    public static final String PULLS = "pulls";

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
        StageProfile profile = new StageProfile();
        ServerProcess.serve(
                api(vertx, settings, withWorker, metrics)
                        .compose(api -> bare(vertx).map(bare -> api + " " + bare)),
                question -> question.equals(PULLS)
                        ? Long.toString((long)
                                metrics.get("fanfare.homes.pulls").counter().count())
                        : profile.answer(question));
    }

    private static Future<Integer> api(
            Vertx vertx, Settings settings, boolean withWorker, SimpleMeterRegistry metrics) {
        return RedisLink.open(vertx, settings.redis().options()).compose(link -> {
            Meta meta = new Meta(link, new SecureRandom());
            return meta.join(settings.redis().shards()).compose(shards -> meta.signingKeys(settings.auth())
                    .compose(keys -> ServerUnderLoad.start(vertx, settings, shards, keys, withWorker, metrics)));
        });
    }

    /** A server as fast as can be: no routes, no Redis, no token, one buffer. */
    private static Future<Integer> bare(Vertx vertx) {
        Buffer body = Buffer.buffer("x".repeat(BODY_MAX));
        return vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> {
                    int size = Integer.parseInt(request.path().substring(1));
                    request.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                            .end(body.slice(0, size))
                            .onFailure(gone -> {});
                })
                .listen()
                .map(server -> server.actualPort());
    }
}
