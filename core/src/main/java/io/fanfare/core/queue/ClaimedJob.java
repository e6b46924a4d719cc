package io.fanfare.core.queue;

/**
 * One job of a batch as it lies in Redis.
 *
 * @param line the wire form, see {@link JobCodec}
 * @param recoveries how many workers died while they had it
 * @param attempt how many attempts have failed
 * @param enqueuedAtMillis when it was first enqueued, Unix time
 * @param job null when it cannot be decoded; {@code problem} says why
 * @param problem null when {@code job} is there
 */
public record ClaimedJob(String line, int recoveries, int attempt, long enqueuedAtMillis, Job job, Problem problem) {
    /** Why a job cannot be decoded. */
    public enum Problem {
        /** Not our format: dead at once. */
        MALFORMED,
        /** A type or version that a newer worker may know: put off, dead after a day. */
        UNKNOWN_TYPE
    }
}
