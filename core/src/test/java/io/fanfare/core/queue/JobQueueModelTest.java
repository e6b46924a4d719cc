package io.fanfare.core.queue;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue.Leased;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of jobs through workers that die, stall, repeat themselves and come late, with one job that kills whoever
 * touches it. Whatever happens: every job is done but those that workers have died of too often, the culprit and by
 * chance a few, and at every moment each accepted job is in one place.
 */
@ParameterizedClass
@KindsOfRedis
class JobQueueModelTest {
    private static final int SHARDS = 2;
    private static final int JOBS = 2000;
    private static final List<Lane> LANES = List.of(Lane.values());
    private static final Settings.Queue SETTINGS = new Settings.Queue(
            Duration.ofSeconds(10),
            Duration.ofMillis(2500),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            16,
            1000,
            Duration.ofMillis(250),
            Duration.ofMinutes(10),
            100_000,
            10_000,
            90);

    private final TestRedis redis;
    private final Map<Long, Integer> effects = new HashMap<>();
    private final Set<Long> finished = new HashSet<>();
    private final Set<Long> buried = new HashSet<>();
    private final Map<String, Batch> claimed = new HashMap<>();
    private final Map<String, Batch> inHand = new LinkedHashMap<>();
    private final List<Batch> abandoned = new ArrayList<>();
    private long now = 1_000_000;
    private int enqueued;
    private int continuations;
    private int batches;
    private JobQueue queue;
    private Random random;

    JobQueueModelTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyJobIsDoneButTheOneThatKills(long seed) {
        System.out.println("seed=" + seed);
        random = new Random(seed);
        redis.flush();
        Vertx vertx = Vertx.vertx();
        RedisLink link = redis.link(vertx);
        queue = new JobQueue(link, new Shards(SHARDS), SETTINGS, () -> now);
        try {
            live();
        } finally {
            await(link.close());
            await(vertx.close());
        }
    }

    private void live() {
        int steps = 0;
        while (enqueued < JOBS || steps % 20 != 0 || !isQuiet()) {
            step();
            if (++steps % 500 == 0) {
                assertEachJobIsInOnePlace();
            }
            assertThat(steps).as("comes to an end").isLessThan(40_000);
        }
        assertEachJobIsInOnePlace();
        long culprit = 1;
        assertThat(buried)
                .as("the culprit, and few that were unlucky")
                .contains(culprit)
                .hasSizeLessThan(4);
        for (long job = 1; job <= JOBS; job++) {
            if (!buried.contains(job)) {
                assertThat(finished).contains(job);
                assertThat(effects.get(job)).isGreaterThanOrEqualTo(1);
            }
        }
        assertThat(finished).doesNotContainAnyElementsOf(buried);
        List<QueueStats> stats = await(queue.stats());
        assertThat(stats.stream().mapToLong(QueueStats::dead).sum()).isEqualTo(buried.size());
        assertThat(stats.stream().mapToLong(QueueStats::enqueued).sum()).isEqualTo(JOBS + continuations);
        assertThat(stats.stream().mapToLong(QueueStats::done).sum()).isEqualTo(JOBS + continuations - buried.size());
        assertThat(stats.stream().mapToLong(QueueStats::reaped).sum())
                .as("something was recovered")
                .isPositive();
        assertThat(stats.stream().mapToLong(QueueStats::retried).sum())
                .as("something was retried")
                .isPositive();
    }

    private void step() {
        now += random.nextInt(200);
        switch (random.nextInt(10)) {
            case 0 -> enqueueSome();
            case 1, 2, 3 -> claim();
            case 4, 5, 6, 7 -> finishOne();
            case 8 -> beatAndReap();
            default -> lateSettle();
        }
    }

    private void enqueueSome() {
        List<Future<Void>> all = new ArrayList<>();
        for (int i = random.nextInt(60); i > 0 && enqueued < JOBS; i--) {
            enqueued++;
            all.add(queue.enqueue(job(enqueued, 0), LANES.get(random.nextInt(3))));
        }
        await(Future.all(all).<Void>mapEmpty());
    }

    /**
     * The status carries the job's number, the cursor how often it has been continued. One author of each shard has
     * most jobs.
     */
    private static Job job(long number, long cursor) {
        long author = number % 8 < 2 ? 2 + number % 40 : 1;
        return new Job.FanOut(Id.of(Id.EPOCH_MILLIS + author, (int) (number % SHARDS), 0), number, cursor);
    }

    private void claim() {
        int shard = random.nextInt(SHARDS);
        String name = "w." + batches++;
        boolean alone = random.nextBoolean();
        Batch batch = await(queue.fetch(shard, name, 16, alone));
        if (random.nextInt(20) == 0) {
            // The answer was lost: asked again, Redis says the same.
            Batch again = await(queue.fetch(shard, name, 16, alone));
            assertThat(again.jobs().isEmpty() || batch.isEmpty() || again.jobs().equals(batch.jobs()))
                    .isTrue();
            batch = again;
        }
        keep(batch);
    }

    /** In hand, or with a worker that dies. */
    private void keep(Batch batch) {
        if (batch.isEmpty()) {
            return;
        }
        claimed.put(batch.name(), batch);
        boolean kills = batch.jobs().stream().anyMatch(job -> number(job) == 1);
        if (kills || random.nextInt(30) == 0) {
            // Dies at once, or after having done something.
            batch.jobs().stream().limit(random.nextInt(4)).forEach(this::effect);
            abandoned.add(batch);
        } else {
            inHand.put(batch.name(), batch);
        }
    }

    private void finishOne() {
        Iterator<Batch> batches = inHand.values().iterator();
        if (!batches.hasNext()) {
            return;
        }
        Batch batch = batches.next();
        batches.remove();
        if (random.nextInt(15) == 0) {
            await(queue.release(batch));
            return;
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (ClaimedJob job : batch.jobs()) {
            outcomes.add(outcome(job));
        }
        boolean won = (random.nextBoolean() ? await(queue.settle(batch, outcomes)) : settleAndFetch(batch, outcomes))
                == JobQueue.Settlement.DONE;
        if (won && random.nextInt(20) == 0) {
            assertThat(await(queue.settle(batch, outcomes)))
                    .as("the second time")
                    .isEqualTo(JobQueue.Settlement.LOST);
        }
        for (int i = 0; won && i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof Outcome.Continued) {
                continuations++;
            } else if (outcomes.get(i) == Outcome.DONE) {
                finished.add(number(batch.jobs().get(i)));
            }
        }
    }

    private JobQueue.Settlement settleAndFetch(Batch batch, List<Outcome> outcomes) {
        String next = "w." + batches++;
        JobQueue.Turn turn = await(queue.settleAndFetch(batch, outcomes, Set.of(), next, 16));
        if (random.nextInt(10) == 0) {
            // The answer was lost.
            JobQueue.Turn again = await(queue.settleAndFetch(batch, outcomes, Set.of(), next, 16));
            assertThat(again.settlement()).isEqualTo(JobQueue.Settlement.LOST);
            assertThat(turn.next().isEmpty()
                            || again.next().jobs().equals(turn.next().jobs()))
                    .isTrue();
            keep(again.next());
        } else {
            keep(turn.next());
        }
        return turn.settlement();
    }

    private Outcome outcome(ClaimedJob job) {
        effect(job);
        Job.FanOut fanOut = (Job.FanOut) job.job();
        int dice = random.nextInt(20);
        if (dice == 0) {
            return new Outcome.Retry(random.nextInt(2000), random.nextBoolean(), "dice");
        }
        if (dice == 1 && fanOut.cursor() < 3) {
            return new Outcome.Continued(job(fanOut.status(), fanOut.cursor() + 1), Lane.LOW);
        }
        return Outcome.DONE;
    }

    private void effect(ClaimedJob job) {
        effects.merge(number(job), 1, Integer::sum);
    }

    private static long number(ClaimedJob job) {
        return ((Job.FanOut) job.job()).status();
    }

    private void beatAndReap() {
        LeaseRenewal beat = await(queue.beat(inHand.values()));
        beat.gone().forEach(batch -> inHand.remove(batch.name()));
        if (random.nextInt(10) == 0) {
            now += 10_000; // Everybody stalls: whoever does not beat before the reaper loses.
        }
        for (Leased leased : await(queue.leases())) {
            if (leased.deadline() <= now) {
                claimed.get(leased.name()).jobs().stream()
                        .filter(job -> job.recoveries() == JobQueue.RECOVERIES_MAX)
                        .forEach(job -> buried.add(number(job)));
                int moved = await(queue.reap(leased));
                assertThat(moved).isPositive();
            }
        }
    }

    /** A worker that was thought dead comes back and settles. */
    private void lateSettle() {
        if (abandoned.isEmpty() || random.nextInt(4) > 0) {
            return;
        }
        Batch batch = abandoned.remove(random.nextInt(abandoned.size()));
        boolean stillLeased = await(queue.beat(List.of(batch))).gone().isEmpty();
        if (!stillLeased) {
            assertThat(await(queue.settle(
                            batch,
                            batch.jobs().stream().map(job -> Outcome.DONE).toList())))
                    .isEqualTo(JobQueue.Settlement.LOST);
        } else {
            abandoned.add(batch);
            now += 10_001; // It did not come back after all.
        }
    }

    private boolean isQuiet() {
        return await(queue.stats()).stream().allMatch(QueueStats::isQuiet);
    }

    private void assertEachJobIsInOnePlace() {
        for (QueueStats stats : await(queue.stats())) {
            QueueState state = new QueueState(redis, stats.shard());
            assertThat(stats.inFlight())
                    .as("in flight by the equation, in batches by count")
                    .isEqualTo(state.inBatches());
            assertThat(state.text()).doesNotContain("without");
        }
    }
}
