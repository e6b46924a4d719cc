package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Redis hangs or is full for longer than a lease: work is held, nobody is thought dead, nothing counts as an attempt.
 */
class OutageTest {
    private static final Shards SHARDS = new Shards(2);

    private final Queue<Job> runs = new ConcurrentLinkedQueue<>();
    private TestRedis redis;
    private Vertx vertx;
    private RedisLink link;
    private JobQueue queue;
    private Settings settings;

    @BeforeEach
    void open() {
        redis = TestRedis.freshStandalone(AppendSync.OFF);
        vertx = Vertx.vertx();
        link = redis.link(vertx);
        settings = WorkerSettings.of(
                redis,
                "queue.lease=400ms",
                "queue.beat=100ms",
                "queue.reap=50ms",
                "queue.poll=50ms",
                "queue.attempts-max=2");
        queue = new JobQueue(link, SHARDS, settings.queue());
    }

    @AfterEach
    void close() {
        await(vertx.close());
        redis.close();
    }

    @Test
    void leasesSurviveAServerThatHangs() {
        Promise<Void> goOn = Promise.promise();
        // Long enough for a loop that the machine does not run for a moment.
        settings = WorkerSettings.of(redis, "queue.lease=1s", "queue.beat=200ms", "queue.reap=50ms", "queue.poll=50ms");
        start((job, lease) -> {
            runs.add(job);
            return goOn.future().compose(v -> lease.ensure()).map(Outcome.DONE);
        });
        start((job, lease) -> {
            runs.add(job);
            return goOn.future().compose(v -> lease.ensure()).map(Outcome.DONE);
        });
        enqueue(1, 2, 3);
        awaitUntil("all run", () -> runs.size() == 3);
        // Longer than three leases, shorter than the links' patience.
        TestRedis.ask(redis.server(), "CLIENT", "PAUSE", "3200", "ALL");
        await(queue.stats());
        goOn.complete();

        awaitUntil("done", () -> stats().done() == 3);
        assertThat(stats().reaped()).isZero();
        assertThat(runs).as("nothing ran twice").hasSize(3);
    }

    @Test
    void nobodyIsReapedWithinALeaseOfTheStartOrOfAnOutage() {
        enqueue(1);
        assertThat(await(queue.fetch(1, "gone.1", 1, false)).jobs()).hasSize(1);
        long started = System.nanoTime();
        // Runs nothing: what it reaps becomes a suspect, and its handler never ends.
        start((job, lease) -> Promise.<Outcome>promise().future());
        awaitUntil("reaped", () -> stats().reaped() == 1);
        assertThat(millisSince(started)).isGreaterThanOrEqualTo(400);

        leaveBatch("gone.2", 300);
        long paused = System.nanoTime();
        TestRedis.ask(redis.server(), "CLIENT", "PAUSE", "1400", "ALL");
        awaitUntil("reaped after the outage", () -> await(queue.stats()).get(0).reaped() == 1);
        assertThat(millisSince(paused)).isGreaterThanOrEqualTo(1400 + 400);
    }

    @Test
    void jobsAreHeldWhileTheServerIsGoneAndThenDone() {
        start((job, lease) -> {
            runs.add(job);
            return queue.enqueue(new Job.FanOut(author(1), 77, 1), Lane.LOW)
                    .compose(v -> lease.ensure())
                    .map(Outcome.DONE);
        });
        awaitUntil("the worker listens", () -> stats().waiting() == 0);
        TestRedis.ask(redis.server(), "CONFIG", "SET", "maxmemory", "1");
        push(1);
        awaitUntil("tried while Redis is full", () -> runs.size() >= 3);
        QueueStats full = stats();
        assertThat(full.batches()).as("held, not given back").isEqualTo(1);
        assertThat(full.delayed() + full.retried()).as("no attempt counted").isZero();
        TestRedis.ask(redis.server(), "CONFIG", "SET", "maxmemory", "0");

        awaitUntil("done", () -> stats().done() >= 1);
        assertThat(stats().dead()).isZero();
        assertThat(stats().reaped()).isZero();
    }

    @Test
    void aRedisThatAnswersSlowlyIsNoAttemptAndStartsNothingTwice() {
        settings = WorkerSettings.of(
                redis, "queue.lease=3s", "queue.beat=1s", "queue.reap=2s", "queue.poll=1s", "queue.attempts-max=1");
        try (FaultyProxy proxy = new FaultyProxy(redis)) {
            TestWorker worker =
                    TestWorker.oneByOne(settings.with(TestSettings.redis(proxy.options())), SHARDS, (job, lease) -> {
                        runs.add(job);
                        // Longer than two time-outs.
                        return vertx.timer(3500).compose(v -> lease.ensure()).map(Outcome.DONE);
                    });
            worker.timeoutMillis = 1500;
            assertThat(await(vertx.deployVerticle(worker))).isNotNull();
            proxy.delay(Duration.ofMillis(300));
            enqueue(1, 2, 3);

            awaitUntil("done", () -> stats().done() == 3);
        }
        assertThat(stats().dead() + stats().retried()).isZero();
        assertThat(runs).as("once each").hasSize(3);
    }

    @Test
    void aRunThatIsOverItsTimeChangesNothingBesideTheNext() {
        List<Promise<Void>> goOn = List.of(Promise.promise(), Promise.promise());
        AtomicInteger begun = new AtomicInteger();
        settings = WorkerSettings.of(
                redis,
                "queue.lease=400ms",
                "queue.beat=100ms",
                "queue.reap=50ms",
                "queue.poll=50ms",
                "queue.attempts-max=5");
        enqueue(1, 2);
        TestWorker worker = TestWorker.oneByOne(settings, SHARDS, (job, lease) -> {
            if (job.equals(new Job.FanOut(author(1), 2, 0))) {
                return Future.succeededFuture(Outcome.DONE);
            }
            int run = begun.getAndIncrement();
            return goOn.get(Math.min(run, 1))
                    .future()
                    .compose(v -> lease.ensure())
                    .map(held -> {
                        runs.add(job);
                        return Outcome.DONE;
                    });
        });
        worker.timeoutMillis = 1500;
        assertThat(await(vertx.deployVerticle(worker))).isNotNull();
        awaitUntil("run again, alone", () -> begun.get() >= 2);

        goOn.get(0).complete();
        await(queue.stats());
        goOn.get(1).complete();

        awaitUntil("done", () -> stats().done() == 2);
        assertThat(runs).as("by the second run").hasSize(1);
    }

    @Test
    void aWorkerRidesOutThatItsConnectionsAreCutAgainAndAgain() {
        start((job, lease) -> {
            runs.add(job);
            return vertx.timer(5).map(Outcome.DONE);
        });
        for (int i = 1; i <= 200; i++) {
            enqueue(i);
            if (i % 20 == 0) {
                TestRedis.ask(redis.server(), "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                awaitUntil("the test's own link is back", () -> vertx.timer(1)
                        .compose(v -> queue.stats())
                        .toCompletionStage()
                        .toCompletableFuture()
                        .handle((s, e) -> e == null)
                        .join());
            }
        }

        awaitUntil("done", () -> stats().isQuiet());
        assertThat(stats().done()).isEqualTo(200);
        assertThat(stats().dead()).isZero();
    }

    private void start(TestWorker.Handler handler) {
        TestWorker worker = TestWorker.oneByOne(settings, SHARDS, handler);
        worker.timeoutMillis = 10_000;
        assertThat(await(vertx.deployVerticle(worker))).isNotNull();
    }

    private void enqueue(long... statuses) {
        for (long status : statuses) {
            await(queue.enqueue(new Job.FanOut(author(1), status, 0), Lane.HIGH));
        }
    }

    /** Past the memory limit. */
    private void push(long status) {
        TestRedis.ask(redis.server(), "CONFIG", "SET", "maxmemory", "0");
        enqueue(status);
        TestRedis.ask(redis.server(), "CONFIG", "SET", "maxmemory", "1");
    }

    /** As a worker does that claims a job in shard 0 and dies, with so much of its lease left. */
    private void leaveBatch(String name, long leaseMillis) {
        long now = TestRedis.ask(redis.server(), "TIME").items().get(0).asLong() * 1000 + 1000;
        TestRedis.askIn(redis.server(), "RPUSH", Keys.batch(0, name), "0 0 1 fan_out.1 " + author(0) + " 9 0");
        TestRedis.askIn(redis.server(), "ZADD", Keys.leases(0), Long.toString(now + leaseMillis), name);
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private static long author(int shard) {
        return Id.of(Id.EPOCH_MILLIS + 5, shard, 0);
    }

    private QueueStats stats() {
        return await(queue.stats()).get(1);
    }
}
