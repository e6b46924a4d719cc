package io.fanfare.worker.graph;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Makes follows of the requests that an account has when it is locked no more, or ends them when it is suspended, a
 * page per job. Running twice is harmless: a request ends once, and a follow that exists stays.
 */
public final class RequestsHandler implements JobHandler<Job.Repair> {
    /** Deals with some requests of an account after a cursor; answers where to go on, 0 = nowhere. */
    @FunctionalInterface
    public interface Page {
        Future<Long> finish(long account, long cursor);
    }

    private final Page page;

    public RequestsHandler(Page page) {
        this.page = page;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Repair> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.Repair job, Lease lease) {
        return lease.ensure()
                .compose(held -> page.finish(job.actor(), job.edge()))
                .map(next -> next == 0
                        ? Outcome.DONE
                        : new Outcome.Continued(
                                new Job.Repair(job.type(), job.actor(), job.object(), next), Lane.NORMAL));
    }
}
