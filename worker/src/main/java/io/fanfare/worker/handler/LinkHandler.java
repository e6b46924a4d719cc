package io.fanfare.worker.handler;

import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Outcome;
import io.fanfare.common.store.Follows;
import io.vertx.core.Future;
import java.util.List;

/**
 * Finishes follows: what a crash between the steps has cut is done here, and nothing where the API has done it. Running twice is harmless because each step of {@link Follows} is
 * idempotent and bound to the edge's id: a follow that was undone meanwhile takes itself back.
 */
public final class LinkHandler implements JobHandler<Job.Link> {
    private final Follows follows;

    public LinkHandler(Follows follows) {
        this.follows = follows;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Link> jobs, Lease lease) {
        return jobs.stream().map(job -> finish(job, lease)).toList();
    }

    private Future<Outcome> finish(Job.Link job, Lease lease) {
        return lease.ensure()
                .compose(held -> follows.finishFollow(job.follower(), job.followee(), job.edge()))
                .map(Outcome.DONE);
    }
}
