package io.fanfare.worker.handler;

import io.fanfare.common.feed.Homes;
import io.fanfare.common.model.Edge;
import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.Outcome;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.vertx.core.Future;
import java.util.List;

/**
 * Puts what an author has posted while readers pulled into the homes of the followers, a page of followers per job, and
 * ends the pulling behind the last page (docs/feeds.md, section 4). Until then readers pull, so that a home that has
 * not caught up shows nothing less. Running twice is harmless: homes drop repeats, and a job whose author has turned to
 * pulling again ends nothing.
 */
public final class CatchUpHandler implements JobHandler<Job.CatchUp> {
    /** Until Redis is asked again for homes that could not be reached. */
    private static final long AWAY_DELAY_MILLIS = 5_000;

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
        Future<IdRange> pulled = statuses.pulled(job.author(), job.from(), job.to());
        return pages.after(job.author(), job.cursor())
                .compose(page -> pulled.compose(read -> lease.ensure().compose(held -> push(page, read)))
                        .compose(reached -> reached ? next(job, page) : Future.succeededFuture(away())));
    }

    /** Whether every home was reached. */
    private Future<Boolean> push(List<Edge> page, IdRange pulled) {
        return homes.catchUp(page.stream().map(Edge::accountId).toList(), pulled)
                .map(missed -> missed.isEmpty())
                .recover(cause -> cause instanceof RedisError error && error.passing()
                        ? Future.succeededFuture(false)
                        : Future.failedFuture(cause));
    }

    private static Outcome away() {
        return new Outcome.Retry(AWAY_DELAY_MILLIS, false, "a part of Redis is away");
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
