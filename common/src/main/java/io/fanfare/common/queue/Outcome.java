package io.fanfare.common.queue;

/** What became of one job of a batch. */
public sealed interface Outcome {
    /** Done; leaves the queue. */
    record Done() implements Outcome {}

    /** This much done; the rest is a further job, enqueued in the step that acknowledges this one. */
    record Continued(Job rest, Lane lane) implements Outcome {}

    /**
     * Failed; again after {@code delayMillis}. {@code countsAttempt} is false when it was put off rather than tried.
     */
    record Retry(long delayMillis, boolean countsAttempt, String reason) implements Outcome {}

    /** Given up; to the dead letters with this reason (one line, no message texts). */
    record Dead(String reason) implements Outcome {}

    Outcome DONE = new Done();
}
