package io.fanfare.worker.graph;

import io.fanfare.core.LoopStores;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.RepairHandler;
import io.fanfare.worker.handler.WorkerFeature;
import java.util.Map;

/** Follows and requests to follow, blocks and mutes. */
public final class GraphJobs implements WorkerFeature {
    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        Follows follows = stores.follows();
        Blocks blocks = stores.blocks();
        return Map.ofEntries(
                Map.entry(JobType.CHANGES, new ChangesHandler(follows::finishChanges)),
                Map.entry(JobType.LINK, new EdgesHandler(follows::finishFollows)),
                Map.entry(JobType.UNLINK, new EdgesHandler(follows::finishUnfollows)),
                Map.entry(JobType.BLOCK, new RepairHandler(blocks::finishBlock)),
                Map.entry(JobType.UNBLOCK, new RepairHandler(blocks::finishUnblock)),
                Map.entry(JobType.MUTE, new RepairHandler(blocks::finishMute)),
                Map.entry(JobType.UNMUTE, new RepairHandler(blocks::finishUnmute)),
                Map.entry(JobType.TERMS, new RepairHandler(follows::finishTerms)),
                Map.entry(JobType.REQUEST, new RepairHandler(follows::finishRequest)),
                Map.entry(JobType.UNREQUEST, new RepairHandler(follows::finishUnrequest)),
                Map.entry(JobType.REQUESTS, new RequestsHandler(follows::finishRequests)));
    }
}
