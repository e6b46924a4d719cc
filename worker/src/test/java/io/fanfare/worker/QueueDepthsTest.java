package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One event loop of a process asks how many jobs there are. */
class QueueDepthsTest {
    private static final int SHARDS = 16;
    private static final int LOOPS = 4;
    private static final long REAP_MILLIS = 100;

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestRedis redis = TestRedis.standalone();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void idleEventLoopsAskNoMoreThanOneWould() {
        redis.flush();
        Settings settings = WorkerSettings.of(redis, "queue.reap=" + REAP_MILLIS + "ms", "queue.poll=10s");
        await(vertx.deployVerticle(() -> worker(settings), new DeploymentOptions().setInstances(LOOPS)));
        long began = System.nanoTime();
        long before = questions();
        awaitUntil("asked often", () -> questions() - before >= 2 * SHARDS);
        long sent = questions() - before;
        // Begins before the first count and ends after the last, so that it is never too short for what is counted.
        double millis = (System.nanoTime() - began) / 1e6;

        // Each pause is at least three quarters of the setting. One may have been under way.
        double most = millis / (0.75 * REAP_MILLIS) + 1;
        // All shards at the first look, then one at each: the quiet ones take turns.
        assertThat((double) sent).isLessThan(SHARDS + most + 1);
    }

    @Test
    void shardsThatPauseALaneAreCounted() {
        redis.flush();
        Settings settings = WorkerSettings.of(redis, "queue.reap=" + REAP_MILLIS + "ms");
        RedisLink link = redis.link(vertx);
        JobQueue queue = new JobQueue(link, new Shards(SHARDS), settings.queue());
        await(vertx.deployVerticle(worker(settings)));
        await(queue.lanePause().set(Lane.LOW, true));
        awaitUntil("paused", () -> paused("low") == SHARDS);
        assertThat(paused("high")).isZero();
        await(queue.lanePause().set(Lane.LOW, false));
        awaitUntil("resumed", () -> paused("low") == 0);
    }

    @Test
    void shardsWhoseHighLaneIsFarBehindAreCountedAsLongAsItIs() {
        redis.flush();
        RedisLink link = redis.link(vertx);
        JobQueue queue =
                new JobQueue(link, new Shards(SHARDS), WorkerSettings.of(redis).queue());
        QueueDepths depths = QueueDepths.of(vertx, registry, InstantSource.fixed(Instant.ofEpochMilli(1_000_000)));
        long young = 1_000_000 - 9_999;
        fill(3, "high", young, 9_999);
        fill(4, "normal", 1, 1);
        depths.set(await(queue.stats()));
        assertThat(overloaded()).as("nearly").isZero();
        assertThat(depth("high")).isEqualTo(9_999);
        assertThat(depth("normal")).isEqualTo(1);
        assertThat(registry.get("fanfare.queue.oldest").gauge().value()).isEqualTo(999.999);

        fill(3, "high", young, 1);
        depths.set(await(queue.stats()));
        assertThat(overloaded()).as("too many").isEqualTo(1);
        fill(5, "high", 1_000_000 - 10_000, 1);
        depths.set(await(queue.stats()));
        assertThat(overloaded()).as("and one that is too old").isEqualTo(2);

        await(queue.lanePause().set(Lane.HIGH, true));
        depths.set(await(queue.stats()));
        assertThat(overloaded()).as("what is paused keeps nothing waiting").isZero();
        await(queue.lanePause().set(Lane.HIGH, false));
        redis.askAt(Keys.lane(3, "high"), "DEL", Keys.lane(3, "high"));
        depths.set(await(queue.stats()));
        assertThat(overloaded()).as("one has drained").isEqualTo(1);
    }

    private void fill(int shard, String lane, long enqueued, int jobs) {
        String key = Keys.lane(shard, lane);
        for (int from = 0; from < jobs; from += 1000) {
            List<String> lines = new ArrayList<>();
            for (int i = from; i < Math.min(jobs, from + 1000); i++) {
                lines.add("0 0 " + enqueued + " mute.1 " + i + " 1 2");
            }
            redis.askAt(
                    key, Stream.concat(Stream.of("LPUSH", key), lines.stream()).toArray(String[]::new));
        }
    }

    private double overloaded() {
        return registry.get("fanfare.queue.overloaded").gauge().value();
    }

    private double depth(String list) {
        return registry.get("fanfare.queue.depth").tag("list", list).gauge().value();
    }

    private double paused(String lane) {
        return registry.get("fanfare.queue.paused").tag("lane", lane).gauge().value();
    }

    @Test
    void theMemoryOfTheEventLogIsCounted() {
        redis.flush();
        long hour = Duration.ofMillis(System.currentTimeMillis()).toHours();
        for (long past : new long[] {0, 1, 96}) {
            String key = Keys.busSubjects(hour - past);
            redis.askAt(key, "HSET", key, "281474976710656", "1", "281474976710657", "2");
        }
        for (long past : new long[] {0, 1, 6}) {
            String notified = Keys.busNotified(hour - past);
            redis.askAt(notified, "HSET", notified, "n281474976710656", "1");
        }
        await(vertx.deployVerticle(worker(WorkerSettings.of(redis))));
        awaitUntil("counted", () -> registry.get("fanfare.bus.subjects").gauge().value() == 9);
    }

    /** Calls of the one command that only the script for a shard's numbers makes, and no idle worker otherwise. */
    private long questions() {
        Matcher calls = Pattern.compile("cmdstat_hmget:calls=(\\d+)")
                .matcher(redis.askAt("x", "INFO", "commandstats").asString());
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private WorkerVerticle worker(Settings settings) {
        return new WorkerVerticle(
                settings, new Shards(SHARDS), registry, InstantSource.system(), System::nanoTime, new Random());
    }
}
