package io.fanfare.worker.poll;

import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import java.util.Map;

/** The end of polls. */
public final class PollJobs implements WorkerFeature {
    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        return Map.of(JobType.END_POLL, new EndPollHandler(new PollEnd(stores)));
    }
}
