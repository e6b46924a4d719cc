package io.fanfare.worker.post;

import io.fanfare.common.model.Refusal;
import io.fanfare.core.posting.ScheduledPublisher;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Publishes what was scheduled. Running twice is harmless: the script that publishes ends the entry, and a job without
 * an entry for its time does nothing.
 */
public final class PublishHandler implements JobHandler<Job.Publish> {
    private static final Outcome FULL = new Outcome.Retry(5_000, false, "too many jobs wait");

    private final ScheduledPublisher publisher;

    public PublishHandler(ScheduledPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Publish> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.Publish job, Lease lease) {
        return lease.ensure()
                .compose(held -> publisher.publish(job.author(), job.scheduled(), job.due()))
                .map(Outcome.DONE)
                .recover(cause -> cause instanceof Refusal ? Future.succeededFuture(FULL) : Future.failedFuture(cause));
    }
}
