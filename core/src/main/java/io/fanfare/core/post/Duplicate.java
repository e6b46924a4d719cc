package io.fanfare.core.post;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** A repetition that was recognised and had no effect. */
public enum Duplicate {
    /** An event that the log had, or whose end it had. */
    EVENT,
    /** An id in a home that had it. */
    DELIVERY,
    /** The outcome of a job that was settled before, or that another worker had taken over. */
    JOB,
    /** A post of an Idempotency-Key that had made one, or a repost that stood already. */
    POST;

    /** Counts them in a process. */
    public Counter counter(MeterRegistry registry) {
        return Counter.builder("fanfare.duplicates")
                .description("Repetitions that were recognised and had no effect")
                .tag("of", name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
