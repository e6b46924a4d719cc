package io.fanfare.worker.poll;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Notifies the author and the voters of a poll that has ended, a page per job. Running twice is harmless: each is
 * notified once, and nobody votes any more, so that pages stay as they are.
 */
public final class EndPollHandler implements JobHandler<Job.EndPoll> {
    /** Accounts that one job notifies: each costs some round trips. */
    private static final int PAGE = 50;

    private final PollEnd end;

    public EndPollHandler(PollEnd end) {
        this.end = end;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.EndPoll> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.EndPoll job, Lease lease) {
        return lease.ensure()
                .compose(held -> end.notifyVoters(job.status(), job.cursor(), PAGE))
                .map(notified -> notified == 0 ? Outcome.DONE : rest(job, notified));
    }

    private static Outcome rest(Job.EndPoll job, long notified) {
        return new Outcome.Continued(new Job.EndPoll(job.author(), job.status(), notified), Lane.LOW);
    }
}
