package io.fanfare.app.operate;

import io.fanfare.core.queue.JobQueue;
import io.vertx.core.Future;
import java.util.function.Function;

/** The queue of a service, for operations of many steps. For one thread, which is no event loop. */
public interface QueueAccess {
    int shardCount();

    /** Whether the operation is to end between two steps, with what it has and without having seen all. */
    default boolean isOver() {
        return false;
    }

    /** Blocks for the answer of a question, which is put on the event loop of the queue; fails as its future does. */
    <T> T ask(Function<JobQueue, Future<T>> question);
}
