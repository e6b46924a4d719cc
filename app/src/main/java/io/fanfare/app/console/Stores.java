package io.fanfare.app.console;

import io.fanfare.app.operate.QueueAccess;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.ServiceContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
 * of which a few may wait for each other. Confined to the console's event loop.
 */
final class Stores {
    /** The longest time of one step of an operation. Redis has answered or failed long before. */
    private static final Duration STEP_MAX = Duration.ofSeconds(60);

    /** Operations of many steps: one runs, the others wait for it. */
    static final int WORK_MAX = 8;

    private static final long RETRY_SECONDS = 10;

    private final ServiceContext services;
    private final Vertx vertx;
    private final Context context;
    private final WorkerExecutor thread;
    private Future<RedisLink> link;
    private Archive archive;
    private int working;

    Stores(ServiceContext services, Vertx vertx) {
        this.services = services;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.thread = vertx.createSharedWorkerExecutor("console", 1);
    }

    /** One that could not be opened is opened anew by the next who asks. */
    Future<RedisLink> link() {
        if (link == null || link.failed()) {
            link = RedisLink.open(vertx, services.settings().redis().options());
        }
        return link;
    }

    /** Opened by the first who asks, for the console alone: most processes never need it there. */
    Archive archive() {
        if (archive == null) {
            archive = JdbcArchive.of(vertx, services.settings().archive(), new SimpleMeterRegistry());
        }
        return archive;
    }

    /** The log of acts. */
    Future<ModerationLog> log() {
        return link().map(redis ->
                new ModerationLog(redis, services.settings().log().auditEntries()));
    }

    Future<JobQueue> queue() {
        return link().map(redis ->
                new JobQueue(redis, services.shards(), services.settings().queue()));
    }

    /**
     * Does something of many steps on the thread, as a command does it. Fails with a {@link Refusal} when
     * {@link #WORK_MAX} are in hand, or when the limit is reached before it begins.
     */
    <T> Future<T> onThread(WorkLimit limit, Function<QueueAccess, T> operation) {
        if (working >= WORK_MAX) {
            return Future.failedFuture(busy());
        }
        working++;
        return queue().compose(queue -> thread.executeBlocking(() -> {
                    if (limit.isReached()) {
                        throw busy();
                    }
                    return operation.apply(new Access(queue, limit));
                }))
                .onComplete(end -> working--);
    }

    private static Refusal busy() {
        return Refusal.overloaded(
                "The console is busy with earlier requests, and has done nothing: try again in " + RETRY_SECONDS
                        + " s.",
                RETRY_SECONDS);
    }

    Future<Void> close() {
        Future<Void> closed = link == null || !link.succeeded()
                ? Future.succeededFuture()
                : link.result().close();
        return closed.eventually(thread::close)
                .eventually(() -> archive == null ? Future.<Void>succeededFuture() : archive.close());
    }

    /** For the thread. */
    private final class Access implements QueueAccess {
        private final JobQueue queue;
        private final WorkLimit limit;

        Access(JobQueue queue, WorkLimit limit) {
            this.queue = queue;
            this.limit = limit;
        }

        @Override
        public boolean isOver() {
            return limit.isReached();
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
