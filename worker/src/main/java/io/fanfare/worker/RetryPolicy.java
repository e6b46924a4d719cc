package io.fanfare.worker;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.queue.RetryClass;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisError;
import java.util.random.RandomGenerator;

/**
 * Decides what happens to a job that cannot be run now. Only errors of handlers count as attempts; an outage of Redis
 * does not. One event loop.
 */
final class RetryPolicy {
    /** How long a job of an unknown type or version waits for a newer worker, each time. */
    static final long UNKNOWN_DELAY_MILLIS = 30_000;

    /** After so long nobody is expected to know it any more. */
    static final long UNKNOWN_AGE_MAX_MILLIS = 24 * 3_600_000L;

    /** How long a job is put off that had no chance: Redis was away for too long, or a neighbour took the time. */
    static final long AWAY_DELAY_MILLIS = 5_000;

    private final Settings.Queue settings;
    private final RandomGenerator random;

    RetryPolicy(Settings.Queue settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    /**
     * After a handler's error: again after random(0, min(retry-max, retry-base * 2^attempt)), until
     * {@code attempts-max} have failed; edges and deletes are tried twice as often, events within a tenth of
     * {@code retry-max}. Missing rights in Redis and an archive that is away count as no attempt: no job can succeed
     * until the operator fixes that.
     */
    Outcome afterError(ClaimedJob job, Throwable cause) {
        if (cause == Archive.AWAY || (cause instanceof RedisError error && error.isOfRights())) {
            long delay = AWAY_DELAY_MILLIS + random.nextLong(AWAY_DELAY_MILLIS);
            return new Outcome.Retry(delay, false, describe(cause));
        }
        RetryClass retry = job.job().type().retry();
        int failed = job.attempt() + 1;
        if (failed >= settings.attemptsMax() * retry.attemptsFactor()) {
            return new Outcome.Dead("failed " + failed + " times, at last with " + describe(cause));
        }
        long base = settings.retryBase().toMillis();
        // 2^30 times anything is beyond every maximum.
        long most = Math.max(base, settings.retryMax().toMillis() / retry.delayDivisor());
        long bound = Math.min(most, base << Math.min(job.attempt(), 30));
        return new Outcome.Retry(random.nextLong(bound + 1), true, describe(cause));
    }

    /** A job that cannot be decoded: dead when it never will be, put off while a newer worker may know it. */
    Outcome undecodable(ClaimedJob job, long nowMillis) {
        if (job.problem() == ClaimedJob.Problem.MALFORMED) {
            return new Outcome.Dead("malformed");
        }
        return nowMillis - job.enqueuedAtMillis() > UNKNOWN_AGE_MAX_MILLIS
                ? new Outcome.Dead("unknown type or version")
                : new Outcome.Retry(UNKNOWN_DELAY_MILLIS, false, "unknown type or version");
    }

    /** Redis stayed away for so long that the batch is given back. */
    Outcome away() {
        return new Outcome.Retry(AWAY_DELAY_MILLIS, false, "Redis is away");
    }

    /** Another job of the batch took the time. */
    Outcome noTime() {
        return new Outcome.Retry(AWAY_DELAY_MILLIS, false, "no time left");
    }

    /**
     * The kind and the place of an error. Not its message, which may quote somebody's post; Redis's own words are safe.
     */
    static String describe(Throwable cause) {
        if (cause instanceof RedisError) {
            return "Redis answered: " + cause.getMessage();
        }
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getClassName().startsWith("io.fanfare.")) {
                return Reason.kind(cause) + " at " + frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return Reason.kind(cause);
    }
}
