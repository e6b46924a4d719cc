package io.fanfare.worker.handler;

import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.Outcome;
import io.fanfare.worker.poll.PollEnd;
import io.vertx.core.Future;
import java.util.List;

/**
 * Tells those whom the end of a poll concerns, a page per job. Running twice is harmless: word of it is given once, and
 * nobody votes any more, so that pages stay as they are.
 */
public final class EndPollHandler implements JobHandler<Job.EndPoll> {
    /** Who is told by one job: each costs some round trips. */
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
                .compose(held -> end.tell(job.status(), job.cursor(), PAGE))
                .map(told -> told == 0 ? Outcome.DONE : rest(job, told));
    }

    private static Outcome rest(Job.EndPoll job, long told) {
        return new Outcome.Continued(new Job.EndPoll(job.author(), job.status(), told), Lane.LOW);
    }
}
