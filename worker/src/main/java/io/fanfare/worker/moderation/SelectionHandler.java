package io.fanfare.worker.moderation;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.moderation.SelectionRun;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Does an act on a selection of accounts, a batch per job. Running twice is harmless: the record of the act says which
 * accounts are settled, and each account which act has changed it, see {@link SelectionRun}.
 */
public final class SelectionHandler implements JobHandler<Job.Repair> {
    private final SelectionRun run;

    public SelectionHandler(SelectionRun run) {
        this.run = run;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Repair> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.Repair job, Lease lease) {
        return lease.ensure()
                .compose(held -> run.step(/* number= */ job.object(), /* place= */ job.edge()))
                .map(next -> next.isEmpty()
                        ? Outcome.DONE
                        : new Outcome.Continued(
                                new Job.Repair(job.type(), job.actor(), job.object(), next.getAsLong()), Lane.NORMAL));
    }
}
