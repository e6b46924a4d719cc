package io.fanfare.worker;

import io.fanfare.redis.ServerInfo;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Memory of each master of Redis, and the time of the last backup, for the operator. {@link RedisWatch} reads them.
 * Safe for every thread.
 */
final class RedisGauges implements Shareable {
    private static final String PROCESS = "process";

    private final MultiGauge used;
    private final MultiGauge most;

    /** Unix time in seconds; 0 = there is none, NaN = not read yet. */
    private volatile double backup = Double.NaN;

    private RedisGauges(MeterRegistry registry) {
        used = gauge(registry, "fanfare.redis.memory.used", "Memory that a master of Redis uses");
        most = gauge(registry, "fanfare.redis.memory.max", "Its maxmemory; 0 = no bound");
        Gauge.builder("fanfare.backup.last", this, all -> all.backup)
                .description("The moment of the last complete backup, Unix time; 0 = there is none")
                .baseUnit("seconds")
                .register(registry);
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name)
                .description(description)
                .baseUnit("bytes")
                .register(registry);
    }

    /** The shared gauges of the process. */
    static RedisGauges of(Vertx vertx, MeterRegistry registry) {
        return vertx.sharedData()
                .<String, RedisGauges>getLocalMap("redis-gauges")
                .computeIfAbsent(PROCESS, none -> new RedisGauges(registry));
    }

    /** @param infos INFO of each master that has answered */
    void setMemory(Map<String, ServerInfo> infos) {
        show(used, infos, info -> info.number("used_memory"));
        show(most, infos, info -> info.number("maxmemory"));
    }

    private static void show(MultiGauge gauge, Map<String, ServerInfo> infos, ToLongFunction<ServerInfo> of) {
        List<MultiGauge.Row<?>> rows = infos.entrySet().stream()
                .<MultiGauge.Row<?>>map(node -> {
                    long bytes = of.applyAsLong(node.getValue());
                    return MultiGauge.Row.of(Tags.of("node", node.getKey()), bytes);
                })
                .toList();
        gauge.register(rows, /* overwrite= */ true);
    }

    void setBackup(Optional<Instant> last) {
        backup = last.map(Instant::getEpochSecond).orElse(0L);
    }
}
