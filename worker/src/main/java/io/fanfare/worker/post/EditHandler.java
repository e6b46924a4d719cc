package io.fanfare.worker.post;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.post.EditSideEffects;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Makes sure of the event of an edit and of its other consequences, and notifies the accounts that have reposted or
 * quoted the status, a page per job. Running twice is harmless: the log appends an event once, lists have a status
 * once, and an edit notifies once. An edit that a later one has overtaken leaves the rest to that one's job.
 */
public final class EditHandler implements JobHandler<Job.Edit> {
    /** Accounts that one job notifies: each costs some round trips. */
    private static final int PAGE = 50;

    private final EditSideEffects sideEffects;

    public EditHandler(EditSideEffects sideEffects) {
        this.sideEffects = sideEffects;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Edit> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.Edit job, Lease lease) {
        return lease.ensure()
                .compose(held ->
                        job.cursor() == 0 ? sideEffects.settle(job.status(), job.edit()) : Future.succeededFuture())
                .compose(settled -> lease.ensure())
                .compose(held -> sideEffects.notifySharers(job.status(), job.edit(), job.cursor(), PAGE))
                .map(last -> last == 0 ? Outcome.DONE : rest(job, last));
    }

    private static Outcome rest(Job.Edit job, long last) {
        return new Outcome.Continued(new Job.Edit(job.author(), job.status(), job.edit(), last), Lane.LOW);
    }
}
