package io.fanfare.worker.graph;

import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.fanfare.worker.handler.Turns;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * Finishes many changes of edges that one account has made at once, with one rewrite of its home. Running twice is
 * harmless for the reasons of {@link io.fanfare.worker.handler.RepairHandler}; when one of the changes fails, all of
 * them run again.
 */
public final class ChangesHandler implements JobHandler<Job.Changes> {
    /** Jobs on the way, since each may have a hundred changes. */
    public static final int AT_ONCE = 4;

    private final Turns turns = new Turns(AT_ONCE);
    private final Function<Job.Changes, Future<Void>> steps;

    /** @param steps all steps after the first of each change */
    public ChangesHandler(Function<Job.Changes, Future<Void>> steps) {
        this.steps = steps;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Changes> jobs, Lease lease) {
        return jobs.stream().map(job -> turns.run(() -> finish(job, lease))).toList();
    }

    private Future<Outcome> finish(Job.Changes job, Lease lease) {
        return lease.ensure().compose(held -> steps.apply(job)).map(Outcome.DONE);
    }
}
