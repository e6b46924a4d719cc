package io.fanfare.worker.account;

import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import java.util.Map;

/** The deletion of accounts. */
public final class AccountJobs implements WorkerFeature {
    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        return Map.of(JobType.DELETE_ACCOUNT, new DeleteAccountHandler(new AccountErasure(stores)));
    }
}
