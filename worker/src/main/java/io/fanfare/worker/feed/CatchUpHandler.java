package io.fanfare.worker.feed;

import io.fanfare.common.model.Edge;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.List;

/**
 * Puts what an author has posted while readers pulled into the homes of the followers, a page of followers per job, and
 * ends the pulling behind the last page (docs/feeds.md, section 4). Until then readers pull, so that a home that has
 * not caught up shows nothing less. Running twice is harmless: homes drop repeats, and a job whose author has turned to
 * pulling again ends nothing.
 */
public final class CatchUpHandler implements JobHandler<Job.CatchUp> {
    private final Statuses statuses;
    private final Homes homes;
    private final FollowerPages pages;

    public CatchUpHandler(Statuses statuses, Homes homes, FollowerPages pages) {
        this.statuses = statuses;
        this.homes = homes;
        this.pages = pages;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.CatchUp> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.CatchUp job, Lease lease) {
        Future<List<Edge>> page = pages.after(job.author(), job.cursor());
        Future<IdRange> pulled = statuses.pulled(job.author(), job.from(), job.to());
        return Future.join(page, pulled)
                .compose(both -> lease.ensure())
                .compose(held -> homes.catchUp(
                        page.result().stream().map(Edge::accountId).toList(), pulled.result()))
                .compose(missed -> missed.isEmpty() ? next(job, page.result()) : Future.succeededFuture(PART_AWAY));
    }

    private Future<Outcome> next(Job.CatchUp job, List<Edge> page) {
        if (pages.isLast(page)) {
            return statuses.endPull(job.author(), job.from(), job.to()).map(ended -> Outcome.DONE);
        }
        long cursor = page.get(page.size() - 1).edgeId();
        Job rest = new Job.CatchUp(job.author(), job.from(), job.to(), cursor);
        return Future.succeededFuture(new Outcome.Continued(rest, Lane.LOW));
    }
}
