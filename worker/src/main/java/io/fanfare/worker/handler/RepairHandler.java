package io.fanfare.worker.handler;

import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.vertx.core.Future;
import java.util.List;

/**
 * Finishes what touches two shards, or a shard and the event log: follows, blocks, mutes and likes and their ends. What
 * a crash between the steps has cut is done here, and nothing where the API has done it. Running twice is harmless
 * because each step is idempotent and bound to the edge's id: what was undone meanwhile takes itself back, and nothing
 * of an edge that came later is touched.
 */
public final class RepairHandler implements JobHandler<Job.Repair> {
    /** All steps of a change after the first, in their order, see {@link Job.Repair}. */
    @FunctionalInterface
    public interface Steps {
        Future<Void> finish(long actor, long object, long edge);
    }

    private final Steps steps;

    public RepairHandler(Steps steps) {
        this.steps = steps;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Repair> jobs, Lease lease) {
        return jobs.stream().map(job -> finish(job, lease)).toList();
    }

    private Future<Outcome> finish(Job.Repair job, Lease lease) {
        return lease.ensure()
                .compose(held -> steps.finish(job.actor(), job.object(), job.edge()))
                .map(Outcome.DONE);
    }
}
