package io.fanfare.server.runtime;

import io.fanfare.redis.RedisError;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a step of a start that needs Redis, and waits while Redis is away, loading, or takes no writes: the two may be
 * started together, or one after a failure of both. It logs why it waits at the first attempt and every minute. Only
 * what Redis itself refuses, such as a wrong password or mode, fails at once: a wrong host looks like a Redis that is
 * away.
 */
final class RedisStart<T> {
    private static final Logger log = LoggerFactory.getLogger(RedisStart.class);

    private static final long PAUSE_MILLIS = 500;
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Vertx vertx;
    private final BooleanSupplier ended;
    private final Supplier<Future<T>> step;
    private final Promise<T> done = Promise.promise();
    private long loggedNanos;
    private boolean logged;

    private RedisStart(Vertx vertx, BooleanSupplier ended, Supplier<Future<T>> step) {
        this.vertx = vertx;
        this.ended = ended;
        this.step = step;
    }

    /**
     * Tries a step until it does not fail for a reason that passes. Fails with what the step fails with.
     *
     * @param ended whether the process ends: then nothing is tried again
     * @param step leaves nothing behind when it fails, and may have been executed before
     */
    static <T> Future<T> waitFor(Vertx vertx, BooleanSupplier ended, Supplier<Future<T>> step) {
        RedisStart<T> start = new RedisStart<>(vertx, ended, step);
        start.attempt();
        return start.done.future();
    }

    private void attempt() {
        step.get().onComplete(this::succeeded, this::failed);
    }

    private void succeeded(T result) {
        if (logged) {
            log.info("Redis is there");
        }
        done.complete(result);
    }

    private void failed(Throwable cause) {
        if (cause instanceof RedisError error && error.passing() && !ended.getAsBoolean()) {
            report(cause);
            long unused = vertx.setTimer(PAUSE_MILLIS, again -> attempt());
        } else {
            done.fail(cause);
        }
    }

    private void report(Throwable cause) {
        long now = System.nanoTime();
        if (!logged || now - loggedNanos > LOG_NANOS) {
            logged = true;
            loggedNanos = now;
            log.warn("waiting for Redis, see redis.url: {}", cause.getMessage());
        }
    }
}
