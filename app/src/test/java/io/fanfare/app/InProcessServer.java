package io.fanfare.app;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.runtime.Part;
import io.fanfare.common.runtime.Shared;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What {@code up} runs, inside the JVM of a test that measures it: API and streams on one event loop and one port, a
 * worker on a second one. Passwords are hashed cheaply, because the cost of a hash is wanted.
 */
public final class InProcessServer implements AutoCloseable {
    private static final byte[] SIGNING_KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final int port;

    /** @param rateLimits whether limits of rates are in force */
    public InProcessServer(TestRedis redis, boolean rateLimits) {
        Settings settings = SettingsLoader.defaultsWith(
                        "http.port=0",
                        "http.public-url=http://social.example",
                        "limits.enabled=" + rateLimits,
                        "auth.argon-memory-kib=8",
                        "auth.argon-passes=1")
                .with(redis.settings());
        Shared shared = new Shared(
                vertx,
                settings,
                new SimpleMeterRegistry(),
                new Shards(settings.redis().shards()),
                SigningKeys.of(SIGNING_KEY));
        List<Part> parts = Composition.everything(shared);
        HttpVerticle http = (HttpVerticle) parts.get(0).verticle().get();
        TestRedis.await(vertx.deployVerticle(http).<Void>mapEmpty());
        TestRedis.await(vertx.deployVerticle(parts.get(1).verticle().get()).<Void>mapEmpty());
        port = http.port();
    }

    public int port() {
        return port;
    }

    public Vertx vertx() {
        return vertx;
    }

    @Override
    public void close() {
        TestRedis.await(vertx.close());
    }
}
