package io.fanfare.worker;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.QueueStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * How many jobs are in the whole queue, and how many subjects the event log remembers, for the operator. The
 * {@link LeadLoop} of a process asks for it. Safe for every thread.
 */
final class QueueDepths implements Shareable {
    private static final String PROCESS = "process";

    /** As in {@code lua/lib/claim.lua}. */
    private static final long OVERLOAD_DEPTH = 10_000;

    private static final long OVERLOAD_MILLIS = 10_000;

    private final InstantSource clock;

    private final Map<Integer, QueueStats> byShard = new ConcurrentHashMap<>();

    private volatile List<QueueStats> depths = List.of();
    private volatile long remembered;

    private QueueDepths(MeterRegistry registry, InstantSource clock) {
        this.clock = clock;
        for (Lane lane : Lane.values()) {
            depth(registry, lane.key(), ofLane(lane));
            Gauge.builder("fanfare.queue.paused", this, all -> all.shardsThatPause(lane))
                    .description("Shards in which an operator has paused the lane")
                    .tag("lane", lane.key())
                    .register(registry);
        }
        depth(registry, "suspect", QueueStats::suspect);
        depth(registry, "delayed", QueueStats::delayed);
        depth(registry, "dead", QueueStats::dead);
        Gauge.builder("fanfare.queue.overloaded", this, QueueDepths::overloadedShards)
                .description("Shards whose high lane is so far behind that their low lane waits")
                .register(registry);
        Gauge.builder("fanfare.queue.oldest", this, QueueDepths::oldestSeconds)
                .description("Age of the oldest waiting job")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("fanfare.bus.subjects", this, all -> all.remembered)
                .description("Subjects that the event log remembers")
                .register(registry);
    }

    /** The shared gauges of the process. */
    static QueueDepths of(Vertx vertx, MeterRegistry registry, InstantSource clock) {
        return vertx.sharedData()
                .<String, QueueDepths>getLocalMap("queue-depths")
                .computeIfAbsent(PROCESS, none -> new QueueDepths(registry, clock));
    }

    /** The numbers of some shards; those of the others stay. */
    void set(List<QueueStats> stats) {
        stats.forEach(shard -> byShard.put(shard.shard(), shard));
        depths = List.copyOf(byShard.values());
    }

    /** Whether something waited, ran or was delayed in the shard at the last reading; true before the first. */
    boolean mayBeBusy(int shard) {
        QueueStats last = byShard.get(shard);
        return last == null || !last.isQuiet();
    }

    void setRemembered(long subjects) {
        remembered = subjects;
    }

    private void depth(MeterRegistry registry, String list, ToLongFunction<QueueStats> size) {
        Gauge.builder("fanfare.queue.depth", this, all -> all.depths.stream()
                        .mapToLong(size)
                        .sum())
                .description("Jobs in the queue by list")
                .tag("list", list)
                .register(registry);
    }

    private static ToLongFunction<QueueStats> ofLane(Lane lane) {
        return switch (lane) {
            case HIGH -> QueueStats::high;
            case NORMAL -> QueueStats::normal;
            case LOW -> QueueStats::low;
        };
    }

    private double shardsThatPause(Lane lane) {
        return depths.stream()
                .filter(shard -> shard.lanes().get(lane).isPaused())
                .count();
    }

    private double overloadedShards() {
        return depths.stream()
                .map(shard -> shard.lanes().get(Lane.HIGH))
                .filter(high -> !high.isPaused())
                .filter(high -> high.depth() >= OVERLOAD_DEPTH
                        || (high.oldestMillis() > 0 && clock.millis() - high.oldestMillis() >= OVERLOAD_MILLIS))
                .count();
    }

    private double oldestSeconds() {
        long oldest = depths.stream()
                .mapToLong(QueueStats::oldestMillis)
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
        return oldest == 0 ? 0 : Math.max(0, clock.millis() - oldest) / 1000.0;
    }
}
