package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Workers show the memory of each master of Redis, and when the last backup was made. */
@ParameterizedClass
@KindsOfRedis
class RedisWatchTest {
    private final Vertx vertx = Vertx.vertx();
    private final TestRedis redis;

    RedisWatchTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void empty() {
        redis.flush();
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void eachMasterShowsItsMemoryAndAServiceWithoutABackupShowsNone() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        await(vertx.deployVerticle(worker(registry)));
        RedisLink link = redis.link(vertx);
        awaitUntil(
                "every master is shown",
                () -> registry.find("fanfare.redis.memory.used").gauges().size()
                        == link.nodes().size());
        assertThat(gauges(registry, "fanfare.redis.memory.used"))
                .allSatisfy(used -> assertThat(used.value()).isGreaterThan(100_000));
        assertThat(gauges(registry, "fanfare.redis.memory.max"))
                .extracting(max -> max.getId().getTag("node"))
                .containsExactlyInAnyOrderElementsOf(link.nodes());
        awaitUntil("backups are known", () -> backup(registry) == 0);
    }

    @Test
    void theMomentOfTheLastBackupIsShown() {
        Instant moment = Instant.parse("2026-11-20T04:00:00Z");
        BackupStamp stamp = new BackupStamp(redis.link(vertx));
        await(stamp.write(moment.minusSeconds(86_400)));
        await(stamp.write(moment));
        assertThat(await(stamp.read())).contains(moment);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        await(vertx.deployVerticle(worker(registry)));
        awaitUntil("it is shown", () -> backup(registry) == moment.getEpochSecond());
    }

    private static Collection<Gauge> gauges(MeterRegistry registry, String name) {
        return registry.get(name).gauges();
    }

    private static double backup(MeterRegistry registry) {
        return registry.get("fanfare.backup.last").gauge().value();
    }

    private WorkerVerticle worker(MeterRegistry registry) {
        return new WorkerVerticle(
                WorkerSettings.of(redis),
                new Shards(16),
                registry,
                InstantSource.system(),
                System::nanoTime,
                new Random());
    }
}
