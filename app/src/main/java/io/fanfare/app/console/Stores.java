package io.fanfare.app.console;

import io.fanfare.app.operate.QueueAccess;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.runtime.ServiceContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The Redis link of the console, opened when somebody first asks for it, and one thread for operations of many steps,
 * which wait for each other. Confined to the console's event loop.
 */
final class Stores {
    /** Of one step of an operation; Redis has answered or failed long before. */
    private static final Duration STEP_MAX = Duration.ofSeconds(60);

    private final ServiceContext services;
    private final Vertx vertx;
    private final Context context;
    private final WorkerExecutor thread;
    private Future<RedisLink> link;

    Stores(ServiceContext services, Vertx vertx) {
        this.services = services;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.thread = vertx.createSharedWorkerExecutor("console", 1);
    }

    /** One that could not be opened is opened anew by the next who asks. */
    Future<RedisLink> link() {
        if (link == null || link.failed()) {
            link = RedisLink.open(vertx, services.settings().redis());
        }
        return link;
    }

    Future<JobQueue> queue() {
        return link().map(redis ->
                new JobQueue(redis, services.shards(), services.settings().queue()));
    }

    /** Does something of many steps on the thread, as a command does it. */
    <T> Future<T> onThread(Function<QueueAccess, T> operation) {
        return queue().compose(queue -> thread.executeBlocking(() -> operation.apply(new Access(queue))));
    }

    Future<Void> close() {
        Future<Void> closed = link == null || !link.succeeded()
                ? Future.succeededFuture()
                : link.result().close();
        return closed.eventually(thread::close);
    }

    /** For the thread. */
    private final class Access implements QueueAccess {
        private final JobQueue queue;

        Access(JobQueue queue) {
            this.queue = queue;
        }

        @Override
        public int shardCount() {
            return services.shards().count();
        }

        @Override
        public <T> T ask(Function<JobQueue, Future<T>> question) {
            Promise<T> promise = Promise.promise();
            context.runOnContext(turn -> Future.succeededFuture()
                    .compose(none -> question.apply(queue))
                    .onComplete(promise));
            try {
                return promise.future()
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(STEP_MAX.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException unchecked
                        ? unchecked
                        : new IllegalStateException(e.getCause());
            } catch (TimeoutException e) {
                throw new IllegalStateException("Redis did not answer within " + STEP_MAX.toSeconds() + " s", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
