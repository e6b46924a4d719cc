package io.fanfare.core.queue;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.queue.BatchesInFlight.InFlight;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The batches that workers hold. */
@ParameterizedClass
@KindsOfRedis
class BatchesInFlightTest {
    private static final Vertx VERTX = Vertx.vertx();

    private final TestRedis redis;
    private RedisLink link;
    private JobQueue queue;
    private long now = 1000;

    BatchesInFlightTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(VERTX);
        queue = new JobQueue(link, new Shards(4), SettingsLoader.defaultsWith().queue(), () -> now);
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @AfterAll
    static void end() {
        await(VERTX.close());
    }

    @Test
    void everyBatchHasItsWorkerItsJobsAndWhatIsLeftOfItsLease() {
        claim(1, "wone.7", "0 0 1 a.1", "0 0 2 b.1");
        now = 3000;
        claim(3, "wtwo.1", "0 0 1 a.1");
        now = 12_000;

        BatchesInFlight.Found found = await(queue.batchesInFlight().list(100));

        assertThat(found.batches())
                .containsExactly(new InFlight(1, "wone.7", 2, -1000), new InFlight(3, "wtwo.1", 1, 1000));
        assertThat(found.batches()).extracting(InFlight::worker).containsExactly("wone", "wtwo");
        assertThat(found.more()).isFalse();
        assertThat(found.unreached()).isEmpty();
    }

    @Test
    void onTheServersClockAFreshLeaseIsAlmostWhole() {
        JobQueue real =
                new JobQueue(link, new Shards(4), SettingsLoader.defaultsWith().queue());
        new QueueState(redis, 2).give("high", "0 0 1 a.1");
        assertThat(await(real.fetch(2, "w.1", 9, true)).jobs()).hasSize(1);

        assertThat(await(real.batchesInFlight().list(100)).batches())
                .singleElement()
                .satisfies(batch -> assertThat(batch.leaseLeftMillis()).isBetween(1L, 10_000L));
    }

    @Test
    void theListHasBoundsAndSaysWhenThereIsMore() {
        for (int i = 0; i < BatchesInFlight.PER_SHARD_MAX + 1; i++) {
            claim(2, "w." + i, "0 0 1 a.1");
        }
        claim(3, "w.x", "0 0 1 a.1");

        assertThat(await(queue.batchesInFlight().list(1000)).batches()).hasSize(BatchesInFlight.PER_SHARD_MAX + 1);
        assertThat(await(queue.batchesInFlight().list(1000)).more()).isTrue();
        assertThat(await(queue.batchesInFlight().list(5)).batches()).hasSize(5);
    }

    @Test
    void shardsThatDoNotAnswerAreNamed() {
        claim(3, "w.x", "0 0 1 a.1");
        redis.askAt(Keys.leases(1), "SET", Keys.leases(1), "not a sorted set");

        BatchesInFlight.Found found = await(queue.batchesInFlight().list(100));

        assertThat(found.unreached()).containsExactly(1);
        assertThat(found.batches()).hasSize(1);
    }

    private void claim(int shard, String name, String... jobs) {
        new QueueState(redis, shard).give("high", jobs);
        assertThat(await(queue.fetch(shard, name, 64, true)).jobs()).hasSize(jobs.length);
    }
}
