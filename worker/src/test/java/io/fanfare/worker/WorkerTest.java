package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobQueue.Leased;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The worker's loop, with handlers of the test's and leases of half a second. */
@ParameterizedClass
@KindsOfRedis
class WorkerTest {
    private static final int SHARD = 1;
    private static final Shards SHARDS = new Shards(4);

    /** The time-out of handlers that must not be given up. */
    private static final long PATIENCE_MILLIS = 60_000;

    private final TestRedis redis;
    private final Queue<Job> runs = new ConcurrentLinkedQueue<>();
    private final Queue<TestWorker> victims = new ConcurrentLinkedQueue<>();
    private final long author = Id.of(Id.EPOCH_MILLIS + 5, SHARD, 0);
    private Vertx vertx;
    private RedisLink link;
    private JobQueue queue;

    WorkerTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        vertx = Vertx.vertx();
        link = redis.link(vertx);
        queue = new JobQueue(link, SHARDS, settings().queue());
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void aTokenWakesTheWorkerLongBeforeItWouldPoll() {
        start(settings(Duration.ofMinutes(1), 4, Duration.ofSeconds(5)), this::done);
        await(queue.enqueue(job(1), Lane.HIGH));
        Stopwatch woken = Stopwatch.start();
        await(queue.wake(SHARD));

        awaitStats("done", stats -> stats.done() == 1);
        assertThat(woken.elapsed()).isLessThan(Duration.ofSeconds(10));
        assertThat(runs).containsExactly(job(1));
    }

    @Test
    void jobsWithoutATokenAreFoundByPolling() {
        start(settings(), this::done);
        await(queue.enqueue(job(1), Lane.LOW));

        awaitStats("done", stats -> stats.done() == 1 && stats.isQuiet());
    }

    @Test
    void aPausedLaneWaitsWhileTheOthersRunAndGoesOnWhenItIsResumed() {
        await(queue.lanePause().set(Lane.LOW, true));
        start(settings(), this::done);
        await(queue.enqueue(job(1), Lane.LOW));
        await(queue.enqueue(job(2), Lane.HIGH));
        await(queue.enqueue(job(3), Lane.NORMAL));

        awaitStats("the others", stats -> stats.done() == 2 && stats.batches() == 0);
        assertThat(stats().low()).isEqualTo(1);
        assertThat(runs).containsExactlyInAnyOrder(job(2), job(3));
        await(queue.lanePause().set(Lane.LOW, false));
        awaitStats("all", stats -> stats.done() == 3 && stats.isQuiet());
    }

    @Test
    void aFailingJobIsRetriedUntilItIsDeadAndItsNeighboursAreDone() {
        enqueue(1, 2, 3);
        TestWorker worker = start(settings(), (job, lease) -> {
            runs.add(job);
            return job.equals(job(2))
                    ? Future.failedFuture(new IllegalStateException("secret text"))
                    : Future.succeededFuture(Outcome.DONE);
        });

        awaitStats("dead", stats -> stats.dead() == 1 && stats.isQuiet());
        QueueStats stats = stats();
        assertThat(stats.done()).isEqualTo(2);
        assertThat(stats.retried()).isEqualTo(2);
        // Three attempts, and once more alone when it failed in company.
        assertThat(runs.stream().filter(job(2)::equals).count()).isBetween(3L, 4L);
        assertThat(dead())
                .singleElement()
                .asString()
                .startsWith(
                        "failed 3 times, at last with a mistake in Fanfare (IllegalStateException) at WorkerTest.java:")
                .contains(" fan_out.1 ")
                .doesNotContain("secret");
        // Counted when the answer to the settlement has come.
        awaitUntil("counted", () -> worker.count("fanfare.jobs.dead") == 1);
        assertThat(worker.count("fanfare.jobs.executed")).isEqualTo(2);
        assertThat(worker.count("fanfare.jobs.retried")).isEqualTo(2);
    }

    @Test
    void aJobThatFailsItsWholeGroupFailsAlone() {
        enqueue(1, 2, 3);
        start(new TestWorker(settings(), SHARDS, (jobs, lease) -> {
            if (jobs.contains(job(2))) {
                throw new IllegalStateException("one of these");
            }
            runs.addAll(jobs);
            return jobs.stream()
                    .map(job -> Future.succeededFuture(Outcome.DONE))
                    .toList();
        }));

        awaitStats("dead", stats -> stats.dead() == 1 && stats.isQuiet());
        assertThat(runs).containsExactlyInAnyOrder(job(1), job(3));
        assertThat(stats().done()).isEqualTo(2);
    }

    @Test
    void aHandlerThatNeverEndsCountsAsFailed() {
        enqueue(1);
        AtomicInteger tries = new AtomicInteger();
        start(
                settings(),
                (job, lease) -> tries.incrementAndGet() == 1
                        ? Promise.<Outcome>promise().future()
                        : done(job, lease));

        awaitStats("done", stats -> stats.done() == 1);
        assertThat(stats().retried()).isEqualTo(1);
    }

    @Test
    void redisBeingAwayIsNoAttempt() {
        enqueue(1, 2);
        AtomicInteger tries = new AtomicInteger();
        start(
                settings(),
                (job, lease) -> job.equals(job(2)) && tries.incrementAndGet() <= 4
                        ? Future.failedFuture(new RedisError(RedisError.Kind.OOM, "OOM command not allowed"))
                        : done(job, lease));

        awaitStats("done", stats -> stats.done() == 2);
        assertThat(stats().retried()).isZero();
        assertThat(runs).as("what was done is not done again").containsExactly(job(1), job(2));
    }

    @Test
    void jobsThatCannotBeDecodedAreBuriedOrPutOff() {
        long now = Clock.systemUTC().millis();
        long began = System.nanoTime();
        push(
                "rubbish",
                "0 0 " + now + " fan_out.1 1 2",
                "0 0 " + now + " dance.1 7",
                "0 0 " + (now - 86_500_000) + " dance.1 8");
        start(settings(), this::done);

        awaitStats("buried", stats -> stats.dead() == 3 && stats.delayed() == 1);
        assertThat(dead())
                .containsExactlyInAnyOrder(
                        "malformed\trubbish",
                        "malformed\t0 0 " + now + " fan_out.1 1 2",
                        "unknown type or version\t0 0 " + (now - 86_500_000) + " dance.1 8");
        String delayed = Keys.delayed(SHARD);
        long due = redis.askAt(delayed, "ZSCORE", delayed, "0 0 " + now + " dance.1 7")
                .asLong();
        long elapsed = Duration.ofNanos(System.nanoTime() - began).toMillis();
        assertThat(due - now).as("half a minute, no attempt counted").isBetween(29_000L, 40_000L + elapsed);
        assertThat(runs).isEmpty();
    }

    @Test
    void aContinuationRunsNext() {
        enqueue(1);
        start(settings(Duration.ofSeconds(1), 4, Duration.ofSeconds(5)), (job, lease) -> {
            runs.add(job);
            Job.FanOut page = (Job.FanOut) job;
            return Future.succeededFuture(
                    page.cursor() == 20
                            ? Outcome.DONE
                            : new Outcome.Continued(new Job.FanOut(author, 1, page.cursor() + 1), Lane.LOW));
        });

        awaitStats("done", stats -> stats.done() == 21 && stats.isQuiet());
        assertThat(runs).hasSize(21);
    }

    @Test
    void noMoreBatchesAreInFlightThanAllowed() {
        enqueueMany();
        AtomicInteger running = new AtomicInteger();
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        start(new TestWorker(settings(), SHARDS, (jobs, lease) -> {
            seen.add(running.incrementAndGet());
            Future<Outcome> later = vertx.timer(20).map(Outcome.DONE).onComplete(done -> running.decrementAndGet());
            return jobs.stream().map(job -> later).toList();
        }));

        awaitUntil("as many as allowed", () -> {
            // Claims may be so slow that the others end meanwhile.
            enqueueMany();
            return seen.contains(4);
        });
        awaitStats("done", QueueStats::isQuiet);
        assertThat(seen).allMatch(n -> n <= 4);
    }

    @Test
    void pagesLeavePlacesForTheHighLane() {
        Promise<Outcome> pages = Promise.promise();
        Promise<Outcome> high = Promise.promise();
        for (int i = 1; i <= 20; i++) {
            await(queue.enqueue(job(i), Lane.LOW));
        }
        TestWorker worker = TestWorker.oneByOne(settings(), SHARDS, (job, lease) -> {
            runs.add(job);
            return ((Job.FanOut) job).status() < 1000 ? pages.future() : high.future();
        });
        worker.timeoutMillis = PATIENCE_MILLIS;
        start(worker);
        // Batches of the low lane have one job when they may have 16.
        awaitUntil("pages are in all places that they may have", () -> runs.size() == 4);
        for (int i = 0; i < 4; i++) {
            int running = 5 + i;
            await(queue.enqueue(job(1000 + i), Lane.HIGH));
            awaitUntil("each has a place", () -> runs.size() == running);
        }
        await(queue.enqueue(job(1004), Lane.HIGH));
        high.complete(Outcome.DONE);

        awaitStats("they are done", stats -> stats.done() == 5);
        assertThat(runs).hasSize(9);
        pages.complete(Outcome.DONE);
        awaitStats("all are done", stats -> stats.done() == 25 && stats.isQuiet());
    }

    @Test
    void aFloodOfOneAuthorDoesNotKeepTheOthersWaiting() {
        int flood = 2000;
        await(Future.join(LongStream.range(0, flood)
                        .mapToObj(status -> queue.enqueue(job(10_000 + status), Lane.HIGH))
                        .toList())
                .<Void>mapEmpty());
        Job other = new Job.FanOut(author + 4096, 1, 0);
        await(queue.enqueue(other, Lane.HIGH));
        AtomicInteger before = new AtomicInteger();
        start(settings(), (job, lease) -> {
            if (job.equals(other)) {
                before.set(runs.size());
            }
            return done(job, lease);
        });

        awaitStats("all are done", stats -> stats.done() == flood + 1 && stats.isQuiet());
        // A claim looks through 256 jobs and takes 16, and four batches are in flight.
        assertThat(before.get()).isPositive().isLessThan(flood / 4);
        assertThat(runs).hasSize(flood + 1);
    }

    @Test
    void longWorkKeepsItsLease() {
        enqueue(1);
        // Long enough for a loop that the machine does not run for a moment.
        Settings lasting = WorkerSettings.of(
                redis, "queue.lease=2s", "queue.beat=300ms", "queue.reap=60ms", "queue.poll=50ms", "worker.batches=4");
        TestWorker worker = TestWorker.oneByOne(lasting, SHARDS, (job, lease) -> vertx.timer(5000)
                .compose(v -> lease.ensure())
                .compose(held -> done(job, lease)));
        worker.timeoutMillis = PATIENCE_MILLIS;
        start(worker);
        start(lasting, this::done);

        awaitStats("done", stats -> stats.done() == 1);
        assertThat(stats().reaped()).isZero();
        assertThat(runs).hasSize(1);
    }

    @Test
    void aServersClockThatIsSetForwardTakesNoJobFromTheLiving() {
        enqueue(1);
        Promise<Void> goOn = Promise.promise();
        startPatient((job, lease) -> {
            runs.add(job);
            return goOn.future().compose(v -> lease.ensure()).map(Outcome.DONE);
        });
        start(settings(), this::done);
        awaitUntil("it runs", () -> !runs.isEmpty());
        for (int step = 0; step < 10; step++) {
            setDeadlines(1 + step);
            awaitUntil("the worker has beaten", () -> await(queue.leases()).stream()
                    .allMatch(leased -> leased.deadline() > 100));
        }
        goOn.complete();

        awaitStats("done", stats -> stats.done() == 1);
        assertThat(stats().reaped()).isZero();
        assertThat(runs).containsExactly(job(1));
    }

    @Test
    void aWorkerThatDiedBeforeTheServersClockWasSetBackIsReapedAllTheSame() {
        enqueue(1);
        assertThat(await(queue.fetch(SHARD, "dead.1", 1, false)).jobs()).hasSize(1);
        setDeadlines(System.currentTimeMillis() + Duration.ofHours(1).toMillis());
        start(settings(), this::done);

        awaitStats("done", stats -> stats.done() == 1);
        assertThat(runs).containsExactly(job(1));
    }

    @Test
    void writesOfAStatusDeletedMeanwhileAreTakenBackBeforeTheBatchIsSettled() {
        long status = Id.of(Id.EPOCH_MILLIS, SHARD, 1);
        enqueue(1);
        AtomicInteger tries = new AtomicInteger();
        start(settings(), (job, lease) -> {
            lease.check(
                    List.of(status),
                    held -> tries.incrementAndGet() < 3
                            ? Future.failedFuture(new RedisError(RedisError.Kind.UNAVAILABLE, "not connected"))
                            : held.ensure());
            return done(job, lease);
        });

        awaitStats("settled", stats -> stats.done() == 1 && stats.batches() == 0);
        assertThat(tries).hasValue(3);
        assertThat(runs).containsExactly(job(1));
    }

    @Test
    void aTakeBackThatFailsForGoodHoldsUpNoBatch() {
        long status = Id.of(Id.EPOCH_MILLIS, SHARD, 1);
        enqueue(1, 2);
        start(settings(), (job, lease) -> {
            lease.check(List.of(status), held -> Future.failedFuture(new IllegalStateException("broken")));
            return done(job, lease);
        });

        awaitStats("settled", stats -> stats.done() == 2 && stats.batches() == 0);
    }

    @Test
    void aWorkerThatLostItsLeaseDropsTheWorkBeforeItsNextSideEffect() {
        enqueue(1);
        AtomicInteger starts = new AtomicInteger();
        AtomicBoolean taken = new AtomicBoolean();
        TestWorker worker = startPatient((job, lease) -> starts.incrementAndGet() == 1
                ? untilIs(taken)
                        // It may believe in its lease for half a second.
                        .compose(now -> vertx.timer(700))
                        .compose(stalled -> lease.ensure())
                        .compose(held -> done(job, lease))
                : done(job, lease));
        awaitUntil("started", () -> starts.get() == 1);

        takeAway();
        taken.set(true);

        awaitStats("done", stats -> stats.done() == 1);
        awaitUntil("the first run has ended", () -> worker.count("fanfare.batches.lost") == 1);
        assertThat(worker.count("fanfare.duplicates")).as("it had no outcome").isZero();
        assertThat(runs).as("one effect, by the second run").containsExactly(job(1));
        assertThat(starts).hasValue(2);
    }

    @Test
    void aSettlementThatComesTooLateChangesNothing() {
        enqueue(1);
        AtomicInteger starts = new AtomicInteger();
        TestWorker worker = start(settings(), (job, lease) -> {
            if (starts.incrementAndGet() == 1) {
                // The lease goes between the last check and the settlement.
                return vertx.executeBlocking(() -> {
                            takeAway();
                            return null;
                        })
                        .map(new Outcome.Dead("must not happen"));
            }
            return done(job, lease);
        });

        awaitStats("done", stats -> stats.done() == 1);
        // The second run may end before the first one is settled, which is counted when the answer has come.
        awaitUntil("counted", () -> worker.count("fanfare.duplicates") == 1);
        assertThat(stats().dead()).isZero();
        assertThat(starts).hasValue(2);
    }

    @Test
    void theJobsOfAKilledWorkerRunElsewhere() {
        for (int i = 1; i <= 100; i++) {
            enqueue(i);
        }
        TestWorker victim = startPatient((job, lease) -> {
            runs.add(job);
            return Promise.<Outcome>promise().future();
        });
        awaitUntil("it works", () -> !runs.isEmpty());
        await(victim.kill());
        runs.clear();
        start(settings(), this::done);

        awaitStats("all done", stats -> stats.done() == 100 && stats.isQuiet());
        assertThat(stats().reaped()).isPositive();
        assertThat(stats().dead()).isZero();
        assertThat(Set.copyOf(runs)).hasSize(100);
    }

    @Test
    void aJobThatKillsItsWorkersDiesAndNobodyElse() {
        for (int i = 1; i <= 50; i++) {
            enqueue(i);
        }
        AtomicInteger killed = new AtomicInteger();
        start(poisonable(killed));
        awaitUntil("poison is dead", () -> {
            if (!victims.isEmpty()) {
                await(victims.remove().kill());
                start(poisonable(killed));
            }
            return stats().dead() == 1 && stats().isQuiet();
        });
        assertThat(stats().done()).isEqualTo(49);
        assertThat(killed).as("once in company, three times alone").hasValue(4);
        assertThat(dead())
                .singleElement()
                .asString()
                .startsWith("poison: 3 workers died of it, and one more\t3 0 ")
                .endsWith(" fan_out.1 " + author + " 7 0");
    }

    /** A worker that job 7 kills. */
    private TestWorker poisonable(AtomicInteger killed) {
        TestWorker[] self = new TestWorker[1];
        AtomicBoolean struck = new AtomicBoolean();
        self[0] = TestWorker.oneByOne(settings(), SHARDS, (job, lease) -> {
            if (!job.equals(job(7))) {
                return done(job, lease);
            }
            // Timers of the dead still fire in this process; they count for nothing.
            if (struck.compareAndSet(false, true)) {
                killed.incrementAndGet();
                victims.add(self[0]);
            }
            return Promise.<Outcome>promise().future();
        });
        self[0].timeoutMillis = PATIENCE_MILLIS;
        return self[0];
    }

    @Test
    void aJobThatAWorkerDiedOfAsASuspectRunsWithNothingBesideIt() {
        AtomicInteger running = new AtomicInteger();
        Map<Job, Integer> company = new ConcurrentHashMap<>();
        enqueueMany();
        start(new TestWorker(settings(), SHARDS, (jobs, lease) -> {
            int beside = running.getAndIncrement();
            jobs.forEach(job -> company.put(job, beside));
            Future<Outcome> later = vertx.timer(30).map(Outcome.DONE).onComplete(done -> running.decrementAndGet());
            return jobs.stream().map(job -> later).toList();
        }));
        awaitUntil("others run together", () -> {
            enqueueMany();
            return company.containsValue(3);
        });
        push("suspect", List.of("2 0 1 fan_out.1 " + author + " 1001 0", "2 0 1 fan_out.1 " + author + " 1002 0"));

        awaitStats("done", QueueStats::isQuiet);
        assertThat(company.get(job(1001))).isZero();
        assertThat(company.get(job(1002))).isZero();
    }

    @Test
    void suspectsRunOneAtATimeAndOthersBesideThem() {
        List<String> suspects = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            suspects.add("1 0 1 fan_out.1 " + author + " " + (1000 + i) + " 0");
        }
        push("suspect", suspects);
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Promise<Outcome> first = Promise.promise();
        startPatient((job, lease) -> {
            if (((Job.FanOut) job).status() < 1000) {
                return done(job, lease);
            }
            most.accumulateAndGet(together.incrementAndGet(), Math::max);
            return first.future().onComplete(done -> together.decrementAndGet());
        });
        awaitUntil("a suspect runs", () -> together.get() > 0);
        enqueue(1, 2, 3);

        awaitStats("the others are done", stats -> stats.done() == 3);
        first.complete(Outcome.DONE);
        awaitStats("the suspects as well", stats -> stats.done() == 1003 && stats.isQuiet());
        assertThat(most).hasValue(1);
    }

    @Test
    void aSuspectIsPutOffWhileOtherJobsRun() {
        Promise<Outcome> never = Promise.promise();
        enqueue(1);
        TestWorker worker = TestWorker.oneByOne(settings(), SHARDS, (job, lease) -> {
            runs.add(job);
            return job.equals(job(1)) ? never.future() : Future.succeededFuture(Outcome.DONE);
        });
        worker.timeoutMillis = PATIENCE_MILLIS;
        start(worker);
        awaitUntil("one is under way", () -> !runs.isEmpty());
        push("suspect", List.of("2 0 1 fan_out.1 " + author + " 1001 0"));

        awaitStats("the suspect is put off", stats -> stats.delayed() == 1);
        enqueue(2);
        awaitStats("others go on", stats -> stats.done() == 1);
        assertThat(runs).doesNotContain(job(1001));
    }

    @Test
    void aSuspectThatNeedsANodeThatIsAwayHoldsUpNobody() {
        push("suspect", List.of("1 0 1 fan_out.1 " + author + " 1001 0"));
        enqueue(1);
        start(settings(), this::awayFor1001);

        awaitStats("the other is done", stats -> stats.done() == 1 && stats.delayed() == 1);
        assertThat(runs).containsExactly(job(1));
        String delayed = Keys.delayed(SHARD);
        assertThat(redis.askAt(delayed, "ZRANGE", delayed, "0", "0")
                        .items()
                        .get(0)
                        .asString())
                .as("no attempt counted")
                .startsWith("1 0 1 ");
    }

    @Test
    void aBatchThatIsHeldMakesWayForWhatMustRunAlone() {
        enqueue(1001);
        AtomicInteger tries = new AtomicInteger();
        start(settings(), (job, lease) -> {
            tries.incrementAndGet();
            return awayFor1001(job, lease);
        });
        awaitUntil("held", () -> tries.get() > 1);
        push("suspect", List.of("2 0 1 fan_out.1 " + author + " 7 0"));

        awaitStats("the suspect is done", stats -> stats.done() == 1);
        assertThat(runs).containsExactly(job(7));
    }

    private Future<Outcome> awayFor1001(Job job, Lease lease) {
        return job.equals(job(1001))
                ? Future.failedFuture(new RedisError(RedisError.Kind.UNAVAILABLE, "not connected"))
                : done(job, lease);
    }

    @Test
    void drainingSettlesWhatEndsInTimeAndPutsTheRestBack() {
        enqueue(1);
        Promise<Outcome> first = Promise.promise();
        Duration drainTimeout = Duration.ofMillis(1500);
        TestWorker worker =
                TestWorker.oneByOne(settings(Duration.ofMillis(50), 4, drainTimeout), SHARDS, (job, lease) -> {
                    runs.add(job);
                    return job.equals(job(1))
                            ? first.future()
                            : Promise.<Outcome>promise().future();
                });
        worker.timeoutMillis = PATIENCE_MILLIS;
        start(worker);
        awaitUntil("one runs", () -> runs.size() == 1);
        enqueue(2);
        awaitUntil("two run", () -> runs.size() == 2);
        long began = System.nanoTime();
        Future<Void> drained = worker.drain();
        first.complete(Outcome.DONE);
        enqueue(3);

        await(drained);

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("waits for the second")
                .isGreaterThanOrEqualTo(drainTimeout);
        QueueStats stats = stats();
        assertThat(stats.done()).as("the first").isEqualTo(1);
        assertThat(stats.high()).as("the second and the third").isEqualTo(2);
        assertThat(stats.batches()).isZero();
        assertThat(stats.suspect()).isZero();
        assertThat(runs).hasSize(2);
    }

    @Test
    void aDrainThatIsCutShortPutsBackWhatIsNotDone() {
        enqueue(1);
        TestWorker worker = TestWorker.oneByOne(
                settings(Duration.ofMillis(50), 4, Duration.ofMinutes(10)), SHARDS, (job, lease) -> {
                    runs.add(job);
                    return Promise.<Outcome>promise().future();
                });
        worker.timeoutMillis = PATIENCE_MILLIS;
        start(worker);
        awaitUntil("it runs", () -> runs.size() == 1);
        worker.stopNow(); // There is no drain yet, so this does nothing.
        enqueue(2);
        awaitUntil("two run", () -> runs.size() == 2);
        Future<Void> drained = worker.drain();

        worker.stopNow();
        await(drained);

        assertThat(runs).containsExactly(job(1), job(2));
        assertThat(stats().high()).as("they are back").isEqualTo(2);
        assertThat(stats().batches()).isZero();
    }

    @Test
    void drainingAnIdleWorkerIsQuick() {
        TestWorker worker = start(settings(Duration.ofSeconds(60), 4, Duration.ofSeconds(30)), this::done);

        Stopwatch drained = Stopwatch.start();
        await(worker.drain());
        await(worker.drain());
        assertThat(drained.elapsed()).isLessThan(Duration.ofSeconds(10));
    }

    private Future<Outcome> done(Job job, Lease lease) {
        runs.add(job);
        return Future.succeededFuture(Outcome.DONE);
    }

    /** On the event loop that asks. */
    private Future<Long> untilIs(AtomicBoolean condition) {
        return vertx.timer(10).compose(v -> condition.get() ? Future.succeededFuture(0L) : untilIs(condition));
    }

    /** Reaps the batch as a reaper does that believes in no lease; it tries again if a renewal comes in between. */
    private void takeAway() {
        awaitUntil("the batch is reaped", () -> {
            long reaped = 0;
            for (Leased leased : setDeadlines(1)) {
                reaped += await(queue.reap(leased));
            }
            return reaped > 0;
        });
    }

    /** Gives every lease this deadline, which is that of a batch from before the server's clock was set. */
    @CanIgnoreReturnValue
    private List<Leased> setDeadlines(long deadline) {
        String leases = Keys.leases(SHARD);
        List<Leased> set = new ArrayList<>();
        for (Reply name : redis.askAt(leases, "ZRANGE", leases, "0", "-1").items()) {
            redis.askAt(leases, "ZADD", leases, "XX", Long.toString(deadline), name.asString());
            set.add(new Leased(SHARD, name.asString(), deadline));
        }
        return set;
    }

    @CanIgnoreReturnValue
    private TestWorker start(Settings settings, TestWorker.Handler handler) {
        return start(TestWorker.oneByOne(settings, SHARDS, handler));
    }

    @CanIgnoreReturnValue
    private TestWorker start(TestWorker worker) {
        assertThat(await(vertx.deployVerticle(worker))).isNotNull();
        return worker;
    }

    /** Starts a worker whose handlers may take longer than a lease. */
    @CanIgnoreReturnValue
    private TestWorker startPatient(TestWorker.Handler handler) {
        TestWorker worker = TestWorker.oneByOne(settings(), SHARDS, handler);
        worker.timeoutMillis = PATIENCE_MILLIS;
        return start(worker);
    }

    /** Several batches, all at once. */
    private void enqueueMany() {
        await(Future.join(LongStream.range(2000, 2200)
                        .mapToObj(status ->
                                queue.enqueue(new Job.FanOut(author + status % 50 * 4096, status, 0), Lane.HIGH))
                        .toList())
                .<Void>mapEmpty());
    }

    private void enqueue(long... statuses) {
        for (long status : statuses) {
            await(queue.enqueue(job(status), Lane.HIGH));
        }
    }

    private Job job(long status) {
        return new Job.FanOut(author, status, 0);
    }

    private void push(String... lines) {
        push("high", List.of(lines));
    }

    private void push(String lane, List<String> lines) {
        String key = Keys.lane(SHARD, lane);
        lines.forEach(line -> redis.askAt(key, "LPUSH", key, line));
        String stats = Keys.queueStats(SHARD);
        redis.askAt(stats, "HINCRBY", stats, "enqueued", Integer.toString(lines.size()));
    }

    private List<String> dead() {
        String key = Keys.dead(SHARD);
        return redis.askAt(key, "ZRANGE", key, "0", "-1").items().stream()
                .map(Reply::asString)
                .toList();
    }

    private QueueStats stats() {
        return await(queue.stats()).get(SHARD);
    }

    private void awaitStats(String what, Predicate<QueueStats> condition) {
        awaitUntil(what, () -> condition.test(stats()));
        QueueStats stats = stats();
        assertThat(stats.inFlight() > 0)
                .as("in flight exactly when there are batches: %s", stats)
                .isEqualTo(stats.batches() > 0);
    }

    private Settings settings() {
        return settings(Duration.ofMillis(50), 4, Duration.ofSeconds(5));
    }

    private Settings settings(Duration poll, int batches, Duration drainTimeout) {
        return WorkerSettings.of(
                redis,
                "queue.lease=500ms",
                "queue.beat=120ms",
                "queue.reap=60ms",
                "queue.poll=" + poll.toMillis() + "ms",
                "queue.batch-max=16",
                "queue.attempts-max=3",
                "queue.retry-base=1ms",
                "queue.retry-max=20ms",
                "worker.batches=" + batches,
                "worker.drain-timeout=" + drainTimeout.toMillis() + "ms");
    }
}
