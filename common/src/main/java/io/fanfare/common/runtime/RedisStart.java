package io.fanfare.common.runtime;

import io.fanfare.common.redis.RedisError;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the link of a process that starts, and waits while Redis is away: the two may be started together, or one after
 * a failure of both. It logs why it waits at the first attempt and every minute. What only the operator can change, such
 * as a wrong password, fails at once.
 */
final class RedisStart {
    private static final Logger log = LoggerFactory.getLogger(RedisStart.class);

    private static final long PAUSE_MILLIS = 500;
    private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Vertx vertx;
    private final Settings.Redis settings;
    private final Promise<RedisLink> opened = Promise.promise();
    private long toldNanos;
    private boolean told;

    private RedisStart(Vertx vertx, Settings.Redis settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    /** Fails with what {@link RedisLink#open} fails with, unless it passes. Ends with {@code vertx}. */
    static Future<RedisLink> open(Vertx vertx, Settings.Redis settings) {
        RedisStart start = new RedisStart(vertx, settings);
        start.attempt();
        return start.opened.future();
    }

    private void attempt() {
        RedisLink.open(vertx, settings).onComplete(opened::complete, this::failed);
    }

    private void failed(Throwable cause) {
        if (cause instanceof RedisError error && error.passing()) {
            tell(cause);
            long unused = vertx.setTimer(PAUSE_MILLIS, again -> attempt());
        } else {
            opened.fail(cause);
        }
    }

    private void tell(Throwable cause) {
        long now = System.nanoTime();
        if (!told || now - toldNanos > TELL_NANOS) {
            told = true;
            toldNanos = now;
            log.warn("waiting for Redis, see redis.url: {}", cause.getMessage());
        }
    }
}
