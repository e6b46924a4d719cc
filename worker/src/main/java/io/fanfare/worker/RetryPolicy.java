package io.fanfare.worker;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.queue.ClaimedJob;
import io.fanfare.common.queue.JobType;
import io.fanfare.common.queue.Outcome;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.settings.Settings;
import java.util.random.RandomGenerator;

/**
 * What becomes of a job that cannot be run now. Attempts are for errors of handlers; Redis being away is no attempt.
 * One event loop.
 */
final class RetryPolicy {
    /** How long a job of an unknown type or version waits for a newer worker, each time. */
    static final long UNKNOWN_DELAY_MILLIS = 30_000;

    /** After so long nobody is expected to know it any more. */
    static final long UNKNOWN_AGE_MAX_MILLIS = 24 * 3_600_000L;

    /** How long a job is put off that had no chance: Redis was away for too long, or a neighbour took the time. */
    static final long AWAY_DELAY_MILLIS = 5_000;

    /** How often and for how long a kind of job is tried, measured by the settings. */
    private enum Effort {
        /**
         * An edge with its terms, or a delete: until its job is done, the two sides differ. A dead letter leaves them
         * so until somebody acts, and no later job repairs it, so it is tried twice as often.
         */
        REPAIR(2, 1),
        /** A delivery, with what else follows from a status; a picture, whose handler gives it up by itself. */
        DELIVERY(1, 1),
        /** An event and nothing else: worth little when it is late. The same number of tries, closer together. */
        EVENT(1, 10);

        private final int attempts;
        private final int haste;

        Effort(int attempts, int haste) {
            this.attempts = attempts;
            this.haste = haste;
        }

        private static Effort of(JobType type) {
            return switch (type) {
                case RETRACT,
                        PUBLISH,
                        LIKE,
                        UNLIKE,
                        LINK,
                        UNLINK,
                        BLOCK,
                        UNBLOCK,
                        TERMS,
                        REQUEST,
                        UNREQUEST,
                        REQUESTS,
                        QUOTE_TERMS,
                        DELETE_ACCOUNT,
                        CHANGES -> REPAIR;
                case FAN_OUT, ANNOUNCE, DELIVER, CATCH_UP, EDIT, END_POLL, PICTURE -> DELIVERY;
                case MUTE, UNMUTE, PUSH -> EVENT;
            };
        }
    }

    private final Settings.Queue settings;
    private final RandomGenerator random;

    RetryPolicy(Settings.Queue settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    /**
     * After a handler's error: again after random(0, min(retry-max, retry-base * 2^attempt)), until
     * {@code attempts-max} have failed; edges and deletes are tried twice as often, events within a tenth of
     * {@code retry-max}. What Redis does not let us do, or the archive has to be asked for, is no attempt: no job can
     * do it, until the operator mends that.
     */
    Outcome afterError(ClaimedJob job, Throwable cause) {
        if (cause == Archive.AWAY || (cause instanceof RedisError error && error.isOfRights())) {
            long delay = AWAY_DELAY_MILLIS + random.nextLong(AWAY_DELAY_MILLIS);
            return new Outcome.Retry(delay, false, describe(cause));
        }
        Effort effort = Effort.of(job.job().type());
        int failed = job.attempt() + 1;
        if (failed >= settings.attemptsMax() * effort.attempts) {
            return new Outcome.Dead("failed " + failed + " times, at last with " + describe(cause));
        }
        long base = settings.retryBase().toMillis();
        // 2^30 times anything is beyond every maximum.
        long most = Math.max(base, settings.retryMax().toMillis() / effort.haste);
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

    /** Type and place of an error. Not its message, which may quote somebody's post; Redis's own words are safe. */
    static String describe(Throwable cause) {
        if (cause instanceof RedisError) {
            return "RedisError " + cause.getMessage();
        }
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getClassName().startsWith("io.fanfare.")) {
                return cause.getClass().getSimpleName() + " at " + frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return cause.getClass().getSimpleName();
    }
}
