package io.fanfare.server.runtime;

import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Rights;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries the rights of the user of {@code redis.url} again when a link doubts them: after a NOPERM and after each
 * reconnect. While one is missing it tries them every second, and every link of the process refuses writes
 * ({@link Rights}). Confined to its event loop.
 */
final class RightsWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RightsWatch.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context;
    private final RedisLink redis;
    private final Rights rights;
    private final Supplier<String> scratch;
    private boolean running;
    private boolean doubted;
    private boolean missing;
    private boolean closed;

    private RightsWatch(Vertx vertx, Context context, RedisLink redis, Rights rights, Supplier<String> scratch) {
        this.vertx = vertx;
        this.context = context;
        this.redis = redis;
        this.rights = rights;
        this.scratch = scratch;
    }

    /**
     * Begins to watch, on the current event loop, which is that of the link.
     *
     * @param scratch words that no other process uses
     */
    static RightsWatch start(Vertx vertx, RedisLink redis, Rights rights, Supplier<String> scratch) {
        RightsWatch watch = new RightsWatch(vertx, vertx.getOrCreateContext(), redis, rights, scratch);
        rights.watch(watch::doubt);
        return watch;
    }

    /** Why the process cannot do its work, as a sentence; null = it has all rights, as far as it knows. */
    String trouble() {
        return rights.missing().orElse(null);
    }

    void close() {
        closed = true;
        rights.watch(null);
    }

    /** For any thread. */
    private void doubt() {
        context.runOnContext(turn -> {
            doubted = true;
            if (!running) {
                look();
            }
        });
    }

    private void look() {
        if (closed) {
            return;
        }
        running = true;
        doubted = false;
        RightsProbe.run(redis, scratch.get()).onComplete(this::granted, this::failed);
    }

    private void granted(Void all) {
        if (doubted) { // Perhaps taken away behind the back of this look.
            look();
            return;
        }
        running = false;
        if (closed) {
            return;
        }
        rights.granted();
        if (missing) {
            missing = false;
            LOG.info("redis rights are there again, writes go on");
        }
    }

    /** A node that does not answer says nothing about rights: what was known holds until it does. */
    private void failed(Throwable cause) {
        if (closed) {
            running = false;
            return;
        }
        if (cause instanceof StartFailed) {
            rights.missing(cause.getMessage());
            if (!missing) {
                missing = true;
                LOG.error("redis rights are missing, writes are refused: {}", cause.getMessage());
            }
        }
        long unused = vertx.setTimer(PAUSE.toMillis(), over -> look());
    }
}
