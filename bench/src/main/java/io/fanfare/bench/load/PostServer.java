package io.fanfare.bench.load;

import io.fanfare.common.model.Post;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;

/**
 * The servers of {@code bench post}, in a process of their own: the API on one event loop, and on another a bare
 * handler that reads a body, runs the script that publishes it for the account that the path names
 * ({@code /<account>/<bytes of the answer>}), and answers static bytes. Settings come from the environment. Prints
 * {@code ready <API port> <bare port>}, answers {@link StageProfile}, and ends when its standard input does.
 */
public final class PostServer {
    private static final int BODY_MAX = 1 << 20;

    private PostServer() {}

    /** Started by {@link ServerProcess}. */
    public static void main(String[] args) throws IOException {
        Settings settings =
                SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.environment(System.getenv())));
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setPreferNativeTransport(true));
        Future<String> ports = RedisLink.open(vertx, settings.redis().options()).compose(link -> {
            Meta meta = new Meta(link, new SecureRandom());
            return meta.join(settings.redis().shards())
                    .compose(shards -> meta.signingKeys(settings.auth())
                            .compose(keys ->
                                    ServerUnderLoad.start(vertx, settings, shards, keys, /* withWorker= */ false)))
                    .compose(api -> bare(vertx, new Statuses(link, settings)).map(bare -> api + " " + bare));
        });
        ServerProcess.serve(ports);
    }

    /**
     * The lower bound of a post: no routes, no token, no event, no wake-up, nothing rendered; only the script, all
     * calls of a turn in one write.
     */
    private static Future<Integer> bare(Vertx vertx, Statuses statuses) {
        Buffer answer = Buffer.buffer("x".repeat(BODY_MAX));
        return vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> post(request, statuses, answer))
                .listen()
                .map(server -> server.actualPort());
    }

    private static void post(HttpServerRequest request, Statuses statuses, Buffer answer) {
        String[] path = request.path().split("/", 3);
        request.body()
                .map(body -> Post.of(Long.parseLong(path[1]), body.toString(StandardCharsets.UTF_8)))
                .compose(post -> statuses.post(post, null))
                .compose(posted -> request.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .end(answer.slice(0, Integer.parseInt(path[2]))))
                .onFailure(cause -> request.response().setStatusCode(500).end().onFailure(gone -> {}));
    }
}
