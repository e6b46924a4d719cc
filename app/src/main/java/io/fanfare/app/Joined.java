package io.fanfare.app;

import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Meta;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.security.SecureRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Lends a command the stores of a running service for one question. */
final class Joined {
    private static final long CLOSE_MAX_SECONDS = 2;

    private Joined() {}

    /** Blocks for the answer; the question runs on the event loop of its link. Fails as the question's future does. */
    static <T> T ask(Settings settings, Function<JobQueue, Future<T>> question) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        Future<T> answer = RedisLink.open(vertx, settings.redis())
                .compose(redis -> new Meta(redis, new SecureRandom())
                        .join(settings.redis().shards())
                        .map(shards -> new JobQueue(redis, shards, settings.queue())))
                .compose(question)
                .eventually(() -> vertx.close().timeout(CLOSE_MAX_SECONDS, TimeUnit.SECONDS));
        try {
            return answer.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : e;
        }
    }
}
