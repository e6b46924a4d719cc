package io.fanfare.worker.handler;

import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.JobType;
import io.vertx.core.Future;
import java.util.Map;

/** A feature of one worker. Confined to its event loop. */
public interface WorkerFeature {
    /**
     * Its handlers by the type of their jobs, which are those of no other feature. Called after {@link #start}, once
     * for each connection to Redis.
     */
    Map<JobType, JobHandler<?>> handlers(LoopStores stores);

    /** Reads what its jobs need. A worker does not start if it fails. */
    default Future<Void> start() {
        return Future.succeededFuture();
    }

    /** Ends what it does by itself; called when none of its jobs runs any more, also after a start that failed. */
    default Future<Void> close() {
        return Future.succeededFuture();
    }

    /** Deletes the files of a shard that are due. */
    default Future<Void> deleteDueFiles(int shard) {
        return Future.succeededFuture();
    }
}
