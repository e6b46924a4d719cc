package io.fanfare.worker.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisError;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.fanfare.worker.handler.Turns;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes up for what a fan-out had to leave out, since a part of Redis was away: homes of some shards, and for a first
 * page the other consequences of the status. What is still away is put off, and holds up no other job meanwhile.
 * Running twice is harmless, as with {@link FanOutHandler}; followers are read again, so that an account that has
 * unfollowed gets nothing.
 */
public final class DeliverHandler implements JobHandler<Job.Deliver> {
    /**
     * Pages on the way: with two, Redis has work while the event loop reads the answers of the other. Each answer keeps
     * the event loop busy for a millisecond or two. With sixteen, small jobs would wait behind all of them.
     */
    private static final int PAGES_AT_ONCE = 2;

    private final Turns turns = new Turns(PAGES_AT_ONCE);
    private final Statuses statuses;
    private final PostSideEffects sideEffects;
    private final Homes homes;
    private final FollowerPages pages;

    public DeliverHandler(Statuses statuses, PostSideEffects sideEffects, Homes homes, FollowerPages pages) {
        this.statuses = statuses;
        this.sideEffects = sideEffects;
        this.homes = homes;
        this.pages = pages;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Deliver> jobs, Lease lease) {
        return jobs.stream().map(job -> turns.run(() -> run(job, lease))).toList();
    }

    private Future<Outcome> run(Job.Deliver job, Lease lease) {
        return statuses.find(job.status())
                .compose(living ->
                        living.isEmpty() ? Future.succeededFuture(Outcome.DONE) : deliver(job, living.get(), lease));
    }

    private Future<Outcome> deliver(Job.Deliver job, Status status, Lease lease) {
        List<Status> begun = job.cursor() == 0 ? List.of(status) : List.of();
        Future<List<Edge>> page = job.shards().isEmpty() ? Future.succeededFuture(List.of()) : readersOf(job);
        return page.compose(readers -> lease.ensure().map(readers)).compose(readers -> {
            lease.check(List.of(job.status()), held -> takeBackDeleted(status, begun, readers, held));
            Future<Void> settled = sideEffects.settle(begun);
            Future<Set<Long>> pushed = push(readers, job.status());
            return Future.join(settled, pushed).transform(done -> rest(job, settled, pushed));
        });
    }

    private Future<List<Edge>> readersOf(Job.Deliver job) {
        return pages.between(job.author(), job.cursor(), job.last()).map(page -> page.stream()
                .filter(edge -> job.shards().contains(Id.shard(edge.accountId())))
                .toList());
    }

    /** Answers who was not reached; all of them, too. */
    private Future<Set<Long>> push(List<Edge> readers, long status) {
        List<Homes.Delivery> deliveries = new ArrayList<>(readers.size());
        Set<Long> everybody = new HashSet<>();
        for (Edge edge : readers) {
            deliveries.add(new Homes.Delivery(edge.accountId(), List.of(status)));
            everybody.add(edge.accountId());
        }
        return homes.push(deliveries)
                .recover(cause -> isPassing(cause) ? Future.succeededFuture(everybody) : Future.failedFuture(cause));
    }

    /** A part that is done does not run again when the other cannot be. */
    private static Future<Outcome> rest(Job.Deliver job, Future<Void> settled, Future<Set<Long>> pushed) {
        if (pushed.failed()) {
            return Future.failedFuture(pushed.cause());
        }
        Set<Integer> shards = new HashSet<>();
        pushed.result().forEach(reader -> shards.add(Id.shard(reader)));
        if (settled.succeeded() && shards.isEmpty()) {
            return Future.succeededFuture(Outcome.DONE);
        }
        if (shards.equals(job.shards())) {
            return settled.succeeded() || isPassing(settled.cause())
                    ? Future.succeededFuture(PART_AWAY)
                    : Future.failedFuture(settled.cause());
        }
        Job less = new Job.Deliver(job.author(), job.status(), job.cursor(), job.last(), shards);
        return Future.succeededFuture(new Outcome.Continued(less, Lane.NORMAL));
    }

    private static boolean isPassing(Throwable cause) {
        return cause instanceof RedisError error && error.passing();
    }

    /** As after a fan-out: the clean-up of a delete may have passed before the push. */
    private Future<Void> takeBackDeleted(Status status, List<Status> begun, List<Edge> readers, Lease lease) {
        return statuses.find(status.id()).compose(living -> {
            if (living.isPresent()) {
                return Future.succeededFuture();
            }
            List<Homes.Removal> removals = readers.stream()
                    .map(edge -> new Homes.Removal(edge.accountId(), status.id()))
                    .toList();
            return lease.ensure().compose(held -> sideEffects.takeBack(begun)).compose(done -> homes.takeOut(removals));
        });
    }
}
