package io.fanfare.worker.held;

import io.fanfare.core.LoopStores;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.RepairHandler;
import io.fanfare.worker.handler.WorkerFeature;
import java.util.Map;

/** Posts that wait for a moderator. */
public final class HeldJobs implements WorkerFeature {
    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        HeldStatuses held = new HeldStatuses(stores);
        return Map.of(JobType.HELD, new RepairHandler((author, same, id) -> held.look(author, id)));
    }
}
