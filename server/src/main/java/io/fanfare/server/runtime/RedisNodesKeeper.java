package io.fanfare.server.runtime;

import io.fanfare.common.settings.Settings;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps {@link RedisNodesFile} of a data folder true while the nodes of Redis change. One event loop. */
public final class RedisNodesKeeper extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(RedisNodesKeeper.class);

    /** How often the nodes are looked at; a link reads them as often by itself. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Settings.Redis settings;
    private final Path data;
    private RedisLink redis;
    private List<String> written = List.of();
    private boolean failed;

    private RedisNodesKeeper(Settings.Redis settings, Path data) {
        this.settings = settings;
        this.data = data;
    }

    /** Whether a Redis has nodes that may change. */
    public static boolean isOfUse(Settings.Redis settings) {
        return !settings.nodes().isEmpty() && settings.mode() != RedisOptions.Mode.SENTINEL;
    }

    /** As a part of a service. */
    public static Component component(Settings.Redis settings, Path data) {
        return new Component(
                "redis nodes", () -> new RedisNodesKeeper(settings, data), 1, HealthProbe.NONE, /* writes= */ false);
    }

    @Override
    public Future<?> start() {
        return RedisLink.open(vertx, settings.options()).compose(opened -> {
            redis = opened;
            long unused = vertx.setPeriodic(
                    PAUSE.toMillis(), timer -> keep().onFailure(cause -> LOG.debug("not kept", cause)));
            return keep();
        });
    }

    @Override
    public Future<?> stop() {
        return redis == null ? Future.succeededFuture() : redis.close();
    }

    /** A file that cannot be written keeps nothing from running. */
    private Future<Void> keep() {
        List<String> known = redis.known();
        if (known.equals(written)) {
            return Future.succeededFuture();
        }
        return vertx.<Void>executeBlocking(() -> {
                    RedisNodesFile.of(settings, known).write(data);
                    return null;
                })
                .onSuccess(done -> {
                    written = known;
                    failed = false;
                })
                .recover(cause -> {
                    if (!failed) {
                        failed = true;
                        LOG.warn(
                                "the nodes of Redis are not kept, commands and starts know those of redis.url only file={} cause={}",
                                data.resolve(RedisNodesFile.NAME),
                                Reason.of(cause));
                    }
                    return Future.succeededFuture();
                });
    }
}
