package io.fanfare.core.queue;

import io.fanfare.common.queue.Lane;
import java.util.List;

/** The outcome of one job of a batch. */
public sealed interface Outcome {
    /** Done; leaves the queue. */
    record Done() implements Outcome {}

    /** This much done; the rest are further jobs, enqueued in the step that acknowledges this one. */
    record Continued(List<Continuation> rest) implements Outcome {
        /** One further job. */
        public Continued(Job job, Lane lane) {
            this(List.of(new Continuation(job, lane)));
        }
    }

    /** A further job, and the lane in which it waits. */
    record Continuation(Job job, Lane lane) {}

    /**
     * Failed; again after {@code delayMillis}. {@code countsAttempt} is false when it was put off rather than tried.
     */
    record Retry(long delayMillis, boolean countsAttempt, String reason) implements Outcome {}

    /** Given up; to the dead letters with this reason (one line, no message texts). */
    record Dead(String reason) implements Outcome {}

    Outcome DONE = new Done();
}
