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
import java.util.function.Function;

/** Lends a command the stores of a running service for one question. */
final class RemoteStores {
    private RemoteStores() {}

    /** Blocks for the answer; the question runs on the event loop of its link. Fails as the question's future does. */
    static <T> T ask(Settings settings, Function<JobQueue, Future<T>> question) {
        return askRedis(settings, redis -> ask(redis, settings, question));
    }

    /** The same of the link alone, which has joined no data set. */
    static <T> T askRedis(Settings settings, Function<RedisLink, Future<T>> question) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        Future<T> answer = RedisLink.open(vertx, settings.redis())
                .compose(redis -> question.apply(redis).eventually(redis::close));
        try {
            return answer.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : e;
        } finally {
            // Its threads end with it; the answer does not wait for them.
            vertx.close().onFailure(late -> {});
        }
    }

    private static <T> Future<T> ask(RedisLink redis, Settings settings, Function<JobQueue, Future<T>> question) {
        return new Meta(redis, new SecureRandom())
                .join(settings.redis().shards())
                .compose(shards -> question.apply(new JobQueue(redis, shards, settings.queue())));
    }
}
