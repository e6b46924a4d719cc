package io.fanfare.bench.load;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.RedisLink;
import io.fanfare.worker.WorkerVerticle;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/**
 * The worker role on one event loop, in a process of its own, so that its processor time can be told from that of the
 * API. Settings come from the environment. Prints {@code ready worker}, answers the name of a counter with its count,
 * and ends when its standard input does.
 */
public final class WorkerServer {
    private WorkerServer() {}

    /** Started by {@link ServerProcess}. */
    public static void main(String[] args) throws IOException {
        Settings settings =
                SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.environment(System.getenv())));
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        ServerProcess.serve(
                RedisLink.open(vertx, settings.redis().options())
                        .compose(link -> new Meta(link, new SecureRandom())
                                .join(settings.redis().shards()))
                        .compose(shards -> vertx.deployVerticle(new WorkerVerticle(
                                settings,
                                shards,
                                metrics,
                                InstantSource.system(),
                                System::nanoTime,
                                new SecureRandom())))
                        .map("worker"),
                counter -> Long.toString((long) metrics.get(counter).counter().count()));
    }
}
