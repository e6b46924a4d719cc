package io.fanfare.common.action;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** What was told or done once more, since somebody could not know whether it was, and has had no further effect. */
public enum Duplicate {
    /** An event that the log had, or whose end it had. */
    EVENT,
    /** An id in a home that had it. */
    DELIVERY,
    /** A job whose outcome was settled before, or that another worker had taken over. */
    JOB,
    /** A post of an Idempotency-Key that had made one. */
    POST;

    /** Counts them in a process. */
    public Counter counter(MeterRegistry registry) {
        return Counter.builder("fanfare.duplicates")
                .description("Repetitions that were recognised and have had no effect")
                .tag("of", name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
