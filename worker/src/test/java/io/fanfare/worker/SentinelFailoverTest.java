package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.embedded.TestSentinel;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The worker after sentinels have put a replica in the place of the one master. */
class SentinelFailoverTest {
    private static final int SHARDS = 4;

    @Test
    void everyShardBeginsANewGenerationAndTheLogANewEpoch() {
        Vertx vertx = Vertx.vertx();
        try (TestRedis first = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis second = TestRedis.freshStandalone(AppendSync.OFF);
                TestSentinel sentinel = TestSentinel.over(first, second)) {
            Settings settings = SettingsLoader.defaultsWith("redis.shards=" + SHARDS);
            RedisLink link = await(RedisLink.open(vertx, sentinel.options()));
            EventLog events = new EventLog(link, new Random(1), settings.stream());
            SimpleMeterRegistry metrics = new SimpleMeterRegistry();
            FailoverWatch watch = new FailoverWatch(
                    vertx,
                    link,
                    new Shards(SHARDS),
                    events,
                    LeadLoop.of(vertx, System::nanoTime),
                    "w1",
                    metrics.counter("failovers"));
            String before = await(events.state()).epoch();
            onLoop(link, watch::start);
            awaitUntil("the master is noted and replicated", () -> isNoted(second, first));
            assertThat(metrics.counter("failovers").count()).isZero();

            first.server().kill();

            awaitUntil(
                    "it has begun for each", () -> metrics.counter("failovers").count() == SHARDS + 1);
            for (int shard = 0; shard < SHARDS; shard++) {
                String key = Keys.homeGeneration(shard);
                assertThat(second.askAt(key, "GET", key).asLong()).isEqualTo(1);
            }
            assertThat(await(events.state()).epoch()).isNotEqualTo(before);
            onLoop(link, watch::stop);
            await(link.close());
        } finally {
            await(vertx.close());
        }
    }

    private static boolean isNoted(TestRedis replica, TestRedis master) {
        Reply noted = replica.askAt(Keys.BUS_MASTER, "GET", Keys.BUS_MASTER);
        Reply last = replica.askAt(Keys.master(SHARDS - 1), "GET", Keys.master(SHARDS - 1));
        String address = "127.0.0.1:" + master.server().port();
        return address.equals(noted.asString()) && address.equals(last.asString());
    }

    private static void onLoop(RedisLink link, Runnable task) {
        await(link.send(Command.of("PING", "a")).compose(pong -> {
            task.run();
            return Future.succeededFuture();
        }));
    }
}
