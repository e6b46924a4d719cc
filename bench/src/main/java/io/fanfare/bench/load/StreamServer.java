package io.fanfare.bench.load;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.stream.StreamMonitor;
import io.fanfare.stream.StreamVerticle;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

/**
 * The stream role on one event loop, in a process of its own. Settings come from the environment. Prints {@code ready
 * <port>}, ends when its standard input does; whatever line it is sent, it collects its garbage and answers how many
 * bytes of the heap are in use.
 */
public final class StreamServer {
    private static final byte[] SIGNING_KEY = "no token is ever signed with this key".getBytes(StandardCharsets.UTF_8);

    private StreamServer() {}

    /** Started by {@link ServerProcess}. */
    public static void main(String[] args) throws IOException {
        Settings settings =
                SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.environment(System.getenv())));
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        StreamVerticle streams = new StreamVerticle(
                settings,
                SigningKeys.of(SIGNING_KEY),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom(),
                new StreamMonitor(metrics),
                new BodyBudget(settings.http(), metrics));
        ServerProcess.serve(
                vertx.deployVerticle(streams).map(id -> Integer.toString(streams.port())), any -> collect());
    }

    private static String collect() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return Long.toString(runtime.totalMemory() - runtime.freeMemory());
    }
}
