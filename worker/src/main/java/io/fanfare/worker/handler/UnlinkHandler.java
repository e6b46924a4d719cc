package io.fanfare.worker.handler;

import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Outcome;
import io.fanfare.common.store.Follows;
import io.vertx.core.Future;
import java.util.List;

/**
 * Finishes unfollows: what a crash between the steps has cut is done here, and nothing where the API has done it. Running twice is harmless because each step of {@link Follows} is
 * idempotent and bound to the edge's id: nothing of a follow that came later is touched.
 */
public final class UnlinkHandler implements JobHandler<Job.Unlink> {
    private final Follows follows;

    public UnlinkHandler(Follows follows) {
        this.follows = follows;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Unlink> jobs, Lease lease) {
        return jobs.stream().map(job -> finish(job, lease)).toList();
    }

    private Future<Outcome> finish(Job.Unlink job, Lease lease) {
        return lease.ensure()
                .compose(held -> follows.finishUnfollow(job.follower(), job.followee(), job.edge()))
                .map(Outcome.DONE);
    }
}
