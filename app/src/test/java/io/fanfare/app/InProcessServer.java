package io.fanfare.app;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.Component;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.ServiceContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts that {@code up} runs, in the JVM of a test that measures them: API and streams on one event loop and one
 * port, a worker on a second one. Passwords are hashed cheaply, because the real hash is slow on purpose.
 */
public final class InProcessServer implements AutoCloseable {
    private static final byte[] SIGNING_KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final List<Component> parts;
    private final HttpVerticle http;

    /** @param rateLimits whether limits of rates are in force */
    public InProcessServer(TestRedis redis, boolean rateLimits) {
        this(redis, "limits.enabled=" + rateLimits);
        startWorker();
    }

    /** Without a worker so far. */
    InProcessServer(TestRedis redis, String... assignments) {
        this(redis.options(), assignments);
    }

    InProcessServer(RedisOptions redis, String... assignments) {
        List<String> all = new ArrayList<>(List.of(
                "http.port=0",
                "media.directory=" + pictures(),
                "http.public-url=http://social.example",
                "auth.argon-memory-kib=8",
                "auth.argon-passes=1"));
        all.addAll(List.of(assignments));
        Settings settings =
                SettingsLoader.defaultsWith(all.toArray(String[]::new)).with(TestSettings.redis(redis));
        ServerTls tls = ServerTls.load(settings.http(), InstantSource.system());
        ServiceContext services = new ServiceContext(
                vertx,
                settings,
                new SimpleMeterRegistry(),
                new Shards(settings.redis().shards()),
                SigningKeys.of(SIGNING_KEY),
                Vapid.of(Vapid.draw(new SecureRandom())),
                Promise.<Void>promise().future());
        parts = Composition.everything(services, tls);
        http = (HttpVerticle) parts.get(0).verticle().get();
        TestRedis.await(vertx.deployVerticle(http).<Void>mapEmpty());
    }

    private static Path pictures() {
        try {
            Path folder = Files.createTempDirectory("fanfare-pictures");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From here on, what has been published reaches homes and lists. */
    void startWorker() {
        TestRedis.await(vertx.deployVerticle(parts.get(1).verticle().get()).<Void>mapEmpty());
    }

    Router router() {
        return http.router();
    }

    public int port() {
        return http.port();
    }

    public Vertx vertx() {
        return vertx;
    }

    @Override
    public void close() {
        TestRedis.await(vertx.close());
    }
}
