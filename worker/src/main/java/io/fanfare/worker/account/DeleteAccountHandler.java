package io.fanfare.worker.account;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Erases what a deleted account has, a page per job. Running twice is harmless: each page looks for what is left, and
 * takes it back as its user would, see {@link AccountErasure}.
 */
public final class DeleteAccountHandler implements JobHandler<Job.Repair> {
    private final AccountErasure erasure;

    public DeleteAccountHandler(AccountErasure erasure) {
        this.erasure = erasure;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Repair> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.Repair job, Lease lease) {
        return lease.ensure()
                .compose(held -> erasure.step(job.actor(), job.edge()))
                .map(step -> step.done()
                        ? Outcome.DONE
                        : new Outcome.Continued(
                                new Job.Repair(job.type(), job.actor(), job.object(), step.next()), Lane.LOW));
    }
}
