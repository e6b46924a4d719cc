package io.fanfare.worker.handler;

import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.vertx.core.Future;
import java.util.List;

/**
 * Executes jobs of one type. Must be idempotent: each job runs at least once, sometimes twice, and two runs may
 * overlap.
 */
public interface JobHandler<J extends Job> {
    /** Puts the job off; the next run tries again the part that could not be reached. */
    Outcome PART_AWAY = new Outcome.Retry(5_000, false, "a part of Redis is away");

    /**
     * Runs the jobs of one batch; future i has the outcome of job i. A failed one is tried again: for ever while the
     * cause is Redis being away, else as {@code RetryPolicy} says, and first of all alone when the job had company,
     * since one job may have failed them all.
     */
    List<Future<Outcome>> run(List<J> jobs, Lease lease);
}
