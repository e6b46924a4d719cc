package io.fanfare.worker.handler;

import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;

/**
 * Finishes many changes of edges that one account has made at once, with one rewrite of its home. Running twice is
 * harmless for the reasons of {@link RepairHandler}; when one of the changes fails, all of them run again.
 */
public final class ChangesHandler implements JobHandler<Job.Changes> {
    /** Jobs of a batch that run at once, since each may have a hundred changes. */
    static final int AT_ONCE = 4;

    private final Function<Job.Changes, Future<Void>> steps;

    /** @param steps all steps after the first of each change */
    public ChangesHandler(Function<Job.Changes, Future<Void>> steps) {
        this.steps = steps;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Changes> jobs, Lease lease) {
        Run run = new Run(jobs, lease);
        for (int i = 0; i < AT_ONCE; i++) {
            run.next();
        }
        return run.answers.stream().map(Promise::future).toList();
    }

    /** Starts a job whenever one has ended. */
    private final class Run {
        private final List<Job.Changes> jobs;
        private final Lease lease;
        private final List<Promise<Outcome>> answers;
        private int started;

        Run(List<Job.Changes> jobs, Lease lease) {
            this.jobs = jobs;
            this.lease = lease;
            this.answers = jobs.stream().map(job -> Promise.<Outcome>promise()).toList();
        }

        void next() {
            if (started == jobs.size()) {
                return;
            }
            int at = started++;
            finish(jobs.get(at), lease).onComplete((outcome, failure) -> {
                answers.get(at).complete(outcome, failure);
                next();
            });
        }
    }

    private Future<Outcome> finish(Job.Changes job, Lease lease) {
        return lease.ensure().compose(held -> steps.apply(job)).map(Outcome.DONE);
    }
}
