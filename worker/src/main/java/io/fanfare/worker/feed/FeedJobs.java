package io.fanfare.worker.feed;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.LoopStores;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import io.fanfare.worker.handler.WorkerParts;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.IntFunction;

/** Posts on their way into homes, and out of them. */
public final class FeedJobs implements WorkerFeature {
    private final WorkerParts parts;
    private final IntFunction<Future<Void>> deleteDueFiles;

    /** @param deleteDueFiles deletes the files of a shard that are due */
    public FeedJobs(WorkerParts parts, IntFunction<Future<Void>> deleteDueFiles) {
        this.parts = parts;
        this.deleteDueFiles = deleteDueFiles;
    }

    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        EventLog events = stores.events();
        Statuses statuses = stores.statuses();
        Homes homes = stores.homes();
        PostSideEffects sideEffects = stores.sideEffects();
        FollowerPages pages = new FollowerPages(
                stores.graph(), stores.accounts(), parts.settings().feeds().fanOutPage());
        FanOutHandler fanOut =
                new FanOutHandler(events, statuses, stores.statusEvents(), sideEffects, homes, pages, parts.shards());
        return Map.of(
                JobType.FAN_OUT, fanOut,
                JobType.ANNOUNCE, fanOut.announcing(),
                JobType.CATCH_UP, new CatchUpHandler(statuses, homes, pages),
                JobType.DELIVER, new DeliverHandler(statuses, sideEffects, homes, pages),
                JobType.RETRACT, new RetractHandler(events, statuses, sideEffects, homes, pages, deleteDueFiles));
    }
}
