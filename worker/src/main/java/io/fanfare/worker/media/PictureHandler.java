package io.fanfare.worker.media;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.failure.Reason;
import io.fanfare.media.PictureWork;
import io.fanfare.redis.RedisError;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes the pictures of large uploads. A process makes a few at a time, and a batch waits for these only: the others
 * are put off, so that neither the jobs beside them nor their time-out go with the number of pictures that wait. What
 * kills a worker is a suspect like any other job, since its batch is held meanwhile. Running twice is harmless: see
 * {@link PictureWork}.
 */
public final class PictureHandler implements JobHandler<Job.Picture> {
    /** An upload that could not be made in this time is given up: its owner sees the error, and may upload it again. */
    private static final long TRIED_MILLIS = Duration.ofHours(1).toMillis();

    private static final long BUSY_MIN_MILLIS = 500;
    private static final long BUSY_MAX_MILLIS = 10_000;

    /**
     * The pause is this part of the time that the job has waited, so that the last of a few does not wait beside idle
     * workers.
     */
    private static final long BUSY_PART = 20;

    private static final long AGAIN_MIN_MILLIS = 2_000;
    private static final long AGAIN_MAX_MILLIS = Duration.ofMinutes(5).toMillis();

    private final PictureWork work;
    private final DiskReserve disk;
    private final InstantSource clock;
    private final RandomGenerator random;

    /** @param disk while it is short of room, pictures wait */
    public PictureHandler(PictureWork work, DiskReserve disk, InstantSource clock, RandomGenerator random) {
        this.work = work;
        this.disk = disk;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Picture> jobs, Lease lease) {
        return jobs.stream().map(job -> run(job, lease)).toList();
    }

    private Future<Outcome> run(Job.Picture job, Lease lease) {
        return lease.ensure()
                .compose(held -> {
                    disk.check();
                    return work.run(job.uploader(), job.upload(), lease::ensure);
                })
                .compose(end -> switch (end) {
                    case DONE -> Future.succeededFuture(Outcome.DONE);
                    case BUSY -> Future.<Outcome>succeededFuture(busy(job));
                    case ELSEWHERE ->
                        age(job) > TRIED_MILLIS ? giveUp(job) : Future.<Outcome>succeededFuture(elsewhere());
                })
                .recover(cause -> isOurs(cause) ? again(job, cause) : Future.failedFuture(cause));
    }

    /** Not of Redis or of the queue, which know what to do. */
    private static boolean isOurs(Throwable cause) {
        return !(cause instanceof RedisError) && !(cause instanceof Lease.LeaseLost);
    }

    /** Later and later, so that a long queue of pictures does not come again and again. */
    private Outcome busy(Job.Picture job) {
        long pause = Math.max(BUSY_MIN_MILLIS, Math.min(BUSY_MAX_MILLIS, age(job) / BUSY_PART));
        return new Outcome.Retry(pause + random.nextLong(pause), false, "as many pictures as may are being made");
    }

    private Outcome elsewhere() {
        return new Outcome.Retry(
                AGAIN_MIN_MILLIS + random.nextLong(AGAIN_MIN_MILLIS),
                false,
                "this worker has neither media.directory nor a bucket");
    }

    /** A store that is away, a pool that is full, a disk that is full: later and later. */
    private Future<Outcome> again(Job.Picture job, Throwable cause) {
        if (age(job) > TRIED_MILLIS) {
            return giveUp(job);
        }
        long pause = Math.max(AGAIN_MIN_MILLIS, Math.min(AGAIN_MAX_MILLIS, age(job) / 2));
        String reason = cause instanceof Refusal
                ? "the disk is nearly full, or the store of pictures or the pool is busy"
                : describe(cause);
        return Future.succeededFuture(
                new Outcome.Retry(pause + random.nextLong(pause / 2 + 1), !(cause instanceof Refusal), reason));
    }

    /** Its message may name a file. */
    private static String describe(Throwable cause) {
        return "a picture was not made: " + Reason.kind(cause);
    }

    private Future<Outcome> giveUp(Job.Picture job) {
        return work.giveUp(job.uploader(), job.upload()).map(Outcome.DONE);
    }

    private long age(Job.Picture job) {
        return clock.millis() - Id.epochMillis(job.upload());
    }
}
