package io.fanfare.worker.moderation;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.core.LoopStores;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.SelectionRun;
import io.fanfare.core.moderation.Selections;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import java.util.Map;

/** Acts of moderators on many accounts. */
public final class ModerationJobs implements WorkerFeature {
    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        ModerationLog log =
                new ModerationLog(stores.redis(), stores.settings().log().auditEntries());
        SelectionRun run = new SelectionRun(
                new Selections(stores.redis(), log),
                new Restrictions(stores.redis(), stores.statuses(), stores.publicTimelines(), stores.follows()),
                new AccountAccess(stores.redis()),
                stores.notifications().warnings(),
                stores.notificationPublisher(),
                Mails.of(stores.redis(), stores.settings()));
        return Map.of(JobType.SELECTION, new SelectionHandler(run));
    }
}
