package io.fanfare.worker.handler;

import io.fanfare.common.action.Blocks;
import io.fanfare.common.action.Favourites;
import io.fanfare.common.action.Follows;
import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Outcome;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * Finishes what touches two shards, or a shard and the event log: follows, blocks, mutes and likes and their ends. What
 * a crash between the steps has cut is done here, and nothing where the API has done it. Running twice is harmless
 * because each step is idempotent and bound to the edge's id: what was undone meanwhile takes itself back, and nothing
 * of an edge that came later is touched.
 */
public final class RepairHandler<J extends Job> implements JobHandler<J> {
    private final Function<J, Future<Void>> steps;

    /** @param steps all steps after the first, in their order */
    private RepairHandler(Function<J, Future<Void>> steps) {
        this.steps = steps;
    }

    public static RepairHandler<Job.Link> link(Follows follows) {
        return new RepairHandler<>(job -> follows.finishFollow(job.follower(), job.followee(), job.edge()));
    }

    public static RepairHandler<Job.Unlink> unlink(Follows follows) {
        return new RepairHandler<>(job -> follows.finishUnfollow(job.follower(), job.followee(), job.edge()));
    }

    public static RepairHandler<Job.Block> block(Blocks blocks) {
        return new RepairHandler<>(job -> blocks.finishBlock(job.blocker(), job.blocked(), job.edge()));
    }

    public static RepairHandler<Job.Unblock> unblock(Blocks blocks) {
        return new RepairHandler<>(job -> blocks.finishUnblock(job.blocker(), job.blocked(), job.edge()));
    }

    public static RepairHandler<Job.Mute> mute(Blocks blocks) {
        return new RepairHandler<>(job -> blocks.finishMute(job.muter(), job.muted(), job.edge()));
    }

    public static RepairHandler<Job.Unmute> unmute(Blocks blocks) {
        return new RepairHandler<>(job -> blocks.finishUnmute(job.muter(), job.muted(), job.edge()));
    }

    public static RepairHandler<Job.Like> like(Favourites favourites) {
        return new RepairHandler<>(job -> favourites.finishLike(job.account(), job.status(), job.edge()));
    }

    public static RepairHandler<Job.Unlike> unlike(Favourites favourites) {
        return new RepairHandler<>(job -> favourites.finishUnlike(job.account(), job.status(), job.edge()));
    }

    @Override
    public List<Future<Outcome>> run(List<J> jobs, Lease lease) {
        return jobs.stream().map(job -> finish(job, lease)).toList();
    }

    private Future<Outcome> finish(J job, Lease lease) {
        return lease.ensure().compose(held -> steps.apply(job)).map(Outcome.DONE);
    }
}
