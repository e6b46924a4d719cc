package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs while the slot of a shard moves to another server, key by key. */
class MovingShardTest {
    private static final Shards SHARDS = new Shards(16);
    private static final int MOVES = 1;

    private final Queue<Long> runs = new ConcurrentLinkedQueue<>();
    private TestRedis redis;
    private Vertx vertx;
    private RedisLink link;
    private JobQueue queue;
    private Settings settings;

    /** On another server than the shard that moves. */
    private int stays;

    @BeforeEach
    void start() {
        redis = TestRedis.freshCluster(AppendSync.OFF);
        vertx = Vertx.vertx();
        link = redis.link(vertx);
        settings = WorkerSettings.of(
                redis,
                "queue.lease=3s",
                "queue.beat=300ms",
                "queue.reap=200ms",
                "queue.poll=50ms",
                "queue.batch-max=4",
                "queue.attempts-max=3",
                "queue.retry-base=1ms",
                "queue.retry-max=20ms",
                "worker.batches=1");
        queue = new JobQueue(link, SHARDS, settings.queue());
        stays = IntStream.range(0, SHARDS.count())
                .filter(shard -> redis.serverOf(Keys.leases(shard)) != redis.serverOf(Keys.leases(MOVES)))
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void close() {
        await(vertx.close());
        redis.close();
    }

    @Test
    void claimedAndWaitingJobsRunOnceWhenTheShardHasMoved() {
        Promise<Void> finish = Promise.promise();
        startWorker((job, lease) -> {
            runs.add(status(job));
            return status(job) == 1 ? finish.future().map(Outcome.DONE) : Future.succeededFuture(Outcome.DONE);
        });
        enqueue(MOVES, 1);
        awaitUntil("it is in hand", () -> runs.contains(1L));
        enqueue(MOVES, 2);
        SlotMove move = SlotMove.begin(redis, Keys.leases(MOVES));
        move.migrate(move.keysLeft().get(0));
        finish.complete();
        assertThat(await(queue.stats(List.of(MOVES, stays))))
                .as("those that answer")
                .extracting(QueueStats::shard)
                .containsExactly(stays);
        // Its settlement waits, for longer than a lease lasts; the worker does what others have.
        for (long status = 100; status < 105; status++) {
            long each = status;
            enqueue(stays, each);
            awaitUntil("others run", () -> runs.contains(each));
            awaitUntil("a while has passed", after(800));
        }
        move.finish();
        awaitUntil("both are done", () -> isDone(MOVES, 2));
        assertThat(runs.stream().filter(status -> status < 100)).as("once each").containsExactly(1L, 2L);
        assertThat(stats(MOVES).retried()).isZero();
        assertThat(stats(MOVES).reaped()).isZero();
    }

    /** The worker has one place for batches, and held one for a minute that met a shard which could not be reached. */
    @Test
    void aJobThatNeedsTheShardIsPutOffWithoutAnAttemptAndHoldsUpNoOther() {
        ConcurrentHashMap<Long, Integer> tries = new ConcurrentHashMap<>();
        startWorker((job, lease) -> {
            if (status(job) != 1) {
                runs.add(status(job));
                return Future.succeededFuture(Outcome.DONE);
            }
            tries.merge(1L, 1, Integer::sum);
            return queue.enqueue(job(MOVES, 50), Lane.HIGH).map(Outcome.DONE);
        });
        enqueue(MOVES, 49); // Else nothing of the shard would be torn apart.
        awaitUntil("nothing waits", () -> isDone(MOVES, 1));
        SlotMove move = SlotMove.begin(redis, Keys.leases(MOVES));
        enqueue(stays, 1);
        awaitUntil("it was tried", () -> tries.containsKey(1L));
        for (long status = 100; status < 110; status++) {
            enqueue(stays, status);
        }
        awaitUntil(
                "others run",
                () -> runs.stream().filter(status -> status >= 100).count() == 10);
        String delayed = Keys.delayed(stays);
        awaitUntil("it is put off", () -> redis.askAt(delayed, "ZCARD", delayed).asLong() == 1);
        assertThat(redis.askAt(delayed, "ZRANGE", delayed, "0", "-1").items())
                .as("recoveries and attempts")
                .allSatisfy(line -> assertThat(line.asString()).startsWith("0 0 "));
        move.finish();
        awaitUntil("it is done", () -> isDone(stays, 11));
        awaitUntil("what it has enqueued, too", () -> runs.contains(50L));
        assertThat(stats(stays).dead()).isZero();
    }

    private static BooleanSupplier after(long millis) {
        Stopwatch stopwatch = Stopwatch.start();
        return () -> stopwatch.elapsed().toMillis() > millis;
    }

    private void startWorker(TestWorker.Handler handler) {
        TestWorker worker = TestWorker.oneByOne(settings, SHARDS, handler);
        worker.timeoutMillis = 60_000;
        assertThat(await(vertx.deployVerticle(worker))).isNotNull();
    }

    private void enqueue(int shard, long status) {
        await(queue.enqueue(job(shard, status), Lane.HIGH));
    }

    private static Job job(int shard, long status) {
        return new Job.FanOut(Id.of(Id.EPOCH_MILLIS + 5, shard, 0), status, 0);
    }

    private static long status(Job job) {
        return ((Job.FanOut) job).status();
    }

    /** The first answers after a move may still be of the move. */
    private boolean isDone(int shard, int jobs) {
        return await(queue.stats()
                .map(all -> all.get(shard).done() == jobs && all.get(shard).isQuiet())
                .otherwise(false));
    }

    private QueueStats stats(int shard) {
        return await(queue.stats()).get(shard);
    }
}
