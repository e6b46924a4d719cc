package io.fanfare.worker;

import io.fanfare.core.post.Duplicate;
import io.fanfare.core.queue.Batch;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.queue.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The metrics of a worker; {@code docs/operate/monitoring.md} lists the names. Counters are of this process;
 * {@link QueueDepths} has those of the whole queue. One event loop.
 */
final class WorkerMetrics {
    private final Map<JobType, Counter> executed = new EnumMap<>(JobType.class);
    private final Map<JobType, Counter> retried = new EnumMap<>(JobType.class);
    private final Map<JobType, Counter> dead = new EnumMap<>(JobType.class);
    private final Map<JobType, Timer> handlerTime = new EnumMap<>(JobType.class);
    private final Counter undecodable;
    private final Counter lost;
    private final Counter reaped;
    private final Counter repeated;
    private final Timer lag;
    private final InstantSource clock;
    private final LongSupplier nanos;

    WorkerMetrics(MeterRegistry registry, InstantSource clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        for (JobType type : JobType.values()) {
            executed.put(type, counter(registry, "fanfare.jobs.executed", "Jobs that are done", type));
            retried.put(
                    type, counter(registry, "fanfare.jobs.retried", "Jobs that failed and will be tried again", type));
            dead.put(type, counter(registry, "fanfare.jobs.dead", "Jobs that were given up", type));
            handlerTime.put(
                    type,
                    Timer.builder("fanfare.jobs.handler")
                            .description("Time that a handler takes for the jobs of one batch")
                            .tag("type", type.wire())
                            .publishPercentileHistogram()
                            .minimumExpectedValue(Duration.ofMillis(1))
                            .maximumExpectedValue(Duration.ofSeconds(30))
                            .register(registry));
        }
        undecodable = registry.counter("fanfare.jobs.undecodable");
        lost = registry.counter("fanfare.batches.lost");
        reaped = registry.counter("fanfare.jobs.reaped");
        repeated = Duplicate.JOB.counter(registry);
        lag = Timer.builder("fanfare.jobs.lag")
                .description("From enqueueing to the first start")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(5))
                .register(registry);
    }

    /** A moment to hand to {@link #handled} later. */
    long now() {
        return nanos.getAsLong();
    }

    void handled(JobType type, long beganNanos) {
        handlerTime.get(type).record(nanos.getAsLong() - beganNanos, TimeUnit.NANOSECONDS);
    }

    void claimed(Batch batch) {
        long now = clock.millis();
        for (ClaimedJob job : batch.jobs()) {
            if (job.attempt() == 0 && job.recoveries() == 0 && job.job() != null) {
                // The two clocks may be of two machines.
                lag.record(Math.max(0, now - job.enqueuedAtMillis()), TimeUnit.MILLISECONDS);
            }
        }
    }

    void settled(Batch batch, List<Outcome> outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            ClaimedJob job = batch.jobs().get(i);
            if (job.job() == null) {
                undecodable.increment();
            } else {
                counters(outcomes.get(i)).get(job.job().type()).increment();
            }
        }
    }

    /** @param outcomes null for jobs that were not run to their end */
    void lost(List<Outcome> outcomes) {
        lost.increment();
        repeated(outcomes);
    }

    /** Outcomes that were refused: the jobs had been settled, or others run them. */
    void repeated(List<Outcome> outcomes) {
        repeated.increment((double) outcomes.stream().filter(Objects::nonNull).count());
    }

    void reaped(int jobs) {
        reaped.increment(jobs);
    }

    private Map<JobType, Counter> counters(Outcome outcome) {
        if (outcome instanceof Outcome.Retry) {
            return retried;
        }
        return outcome instanceof Outcome.Dead ? dead : executed;
    }

    private static Counter counter(MeterRegistry registry, String name, String description, JobType type) {
        return Counter.builder(name)
                .description(description)
                .tag("type", type.wire())
                .register(registry);
    }
}
