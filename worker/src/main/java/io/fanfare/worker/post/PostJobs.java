package io.fanfare.worker.post;

import io.fanfare.core.LoopStores;
import io.fanfare.core.favourite.Favourites;
import io.fanfare.core.posting.ScheduledPublisher;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.RepairHandler;
import io.fanfare.worker.handler.WorkerFeature;
import java.util.Map;

/** Edits, scheduled posts, quotes and likes. */
public final class PostJobs implements WorkerFeature {
    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        Favourites favourites = stores.favourites();
        return Map.of(
                JobType.EDIT, new EditHandler(stores.editSideEffects()),
                JobType.PUBLISH, new PublishHandler(new ScheduledPublisher(stores)),
                JobType.LIKE, new RepairHandler(favourites::finishLike),
                JobType.UNLIKE, new RepairHandler(favourites::finishUnlike),
                JobType.QUOTE_TERMS, new RepairHandler(stores.quotes()::finish));
    }
}
