package io.fanfare.core.queue;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue.Leased;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each script: a state, an action, and the whole state afterwards. */
@ParameterizedClass
@KindsOfRedis
class JobQueueTest {
    private static final int SHARD = 2;
    private static final Vertx VERTX = Vertx.vertx();
    private static final Settings.Queue SETTINGS = new Settings.Queue(
            Duration.ofSeconds(10),
            Duration.ofMillis(2500),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            64,
            12,
            Duration.ofMillis(250),
            Duration.ofMinutes(10),
            1000,
            3,
            1);

    private final TestRedis redis;
    private final QueueState state;
    private final long author = Id.of(Id.EPOCH_MILLIS, SHARD, 1);
    private RedisLink link;
    private JobQueue queue;
    private long now = 1000;

    JobQueueTest(TestRedis.Kind kind) {
        redis = kind.redis();
        state = new QueueState(redis, SHARD);
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(VERTX);
        queue = new JobQueue(link, new Shards(4), SETTINGS, () -> now);
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
    void anEnqueuedJobWaitsInItsOwnersShard() {
        await(queue.enqueue(new Job.FanOut(author, author + 4096, 0), Lane.NORMAL));
        now = 1001;
        await(queue.enqueue(new Job.Retract(author, author + 4096, 7), Lane.NORMAL));

        assertState("""
                normal: 0 0 1000 fan_out.1 %1$d %2$d 0 | 0 0 1001 retract.1 %1$d %2$d 7
                stats: enqueued=2""".formatted(author, author + 4096));
    }

    @Test
    void aFetchClaimsTheOldestUnderALease() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1", "0 0 3 c.1");

        Batch batch = fetch("w.1", 2);

        assertThat(batch.jobs()).extracting(ClaimedJob::line).containsExactly("0 0 1 a.1", "0 0 2 b.1");
        assertThat(batch.more()).isTrue();
        assertState("""
                high: 0 0 3 c.1
                batch w.1 until 11000: 0 0 1 a.1 | 0 0 2 b.1""");
    }

    @Test
    void aFetchFromAnEmptyShardLeavesNothingBehind() {
        assertThat(fetch("w.1", 2)).isEqualTo(new Batch(SHARD, "w.1", List.of(), false, false, -1, Lane.NORMAL));
        assertState("");
    }

    @Test
    void aFetchThatTookLessThanItMightSaysThatThereIsNoMore() {
        state.give("high", "0 0 1 a.1");

        assertThat(fetch("w.1", 2).more()).isFalse();
    }

    @Test
    void aRepeatedFetchRenewsTheLeaseAndAnswersTheSameJobs() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1");
        Batch first = fetch("w.1", 1);
        now = 4000;

        assertThat(fetch("w.1", 1)).isEqualTo(new Batch(SHARD, "w.1", first.jobs(), true, false, -1, Lane.NORMAL));
        assertState("""
                high: 0 0 2 b.1
                batch w.1 until 14000: 0 0 1 a.1""");
    }

    @Test
    void aFetchReturnsWhenTheNextDelayedJobIsDue() {
        state.give("high", "0 0 1 a.1");
        state.giveDelayed(2500, "0 1 1 b.1");

        assertThat(fetch("w.1", 1).dueMillis()).isEqualTo(1500);
        now = 2500;
        assertThat(fetch("w.2", 1).dueMillis()).as("it was claimed").isEqualTo(-1);
    }

    @Test
    void aSettlementClaimsTheNextBatchInTheSameStep() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1", "0 0 3 c.1");
        Batch first = fetch("w.1", 2);
        now = 2000;

        JobQueue.Turn turn = await(queue.settleAndFetch(
                first, List.of(Outcome.DONE, new Outcome.Retry(500, true, "dice")), Set.of(), "w.2", 2));

        assertThat(turn.settlement()).isEqualTo(JobQueue.Settlement.DONE);
        assertThat(turn.next().name()).isEqualTo("w.2");
        assertThat(turn.next().jobs()).extracting(ClaimedJob::line).containsExactly("0 0 3 c.1");
        assertThat(turn.next().dueMillis()).isEqualTo(500);
        assertState("""
                delayed: 2500 0 1 2 b.1
                batch w.2 until 12000: 0 0 3 c.1
                stats: done=1 retried=1""");
    }

    @Test
    void aSettlementWhoseAnswerWasLostIsRepeatedInTwoPartsOrInOne() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1", "0 0 3 c.1");
        Batch first = fetch("w.1", 1);
        List<Outcome> done = List.of(Outcome.DONE);
        Batch next =
                await(queue.settleAndFetch(first, done, Set.of(), "w.2", 1)).next();

        JobQueue.Turn again = await(queue.settleAndFetch(first, done, Set.of(), "w.2", 1));
        assertThat(again.settlement()).isEqualTo(JobQueue.Settlement.LOST);
        assertThat(again.next().jobs()).isEqualTo(next.jobs());
        assertThat(await(queue.settle(first, done))).isEqualTo(JobQueue.Settlement.LOST);
        assertThat(fetch("w.2", 1).jobs()).isEqualTo(next.jobs());
        assertState("""
                high: 0 0 3 c.1
                batch w.2 until 11000: 0 0 2 b.1
                stats: done=1""");
    }

    @Test
    void aWorkerThatLostItsLeaseSettlesNothingAndMayClaim() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1");
        Batch first = fetch("w.1", 1);
        assertThat(await(queue.reap(await(queue.leases()).get(0)))).isEqualTo(1);

        JobQueue.Turn turn = await(queue.settleAndFetch(
                first, List.of(new Outcome.Continued(new Job.FanOut(author, 1, 1), Lane.LOW)), Set.of(), "w.2", 1));

        assertThat(turn.settlement()).isEqualTo(JobQueue.Settlement.LOST);
        assertThat(turn.next().suspects()).isTrue();
        assertState("""
                suspect: 1 0 1 a.1
                batch w.2 until 11000: 0 0 2 b.1
                stats: reaped=1""");
    }

    @Test
    void aBatchIsNotSettledWhileOneOfItsStatusesIsGone() {
        long kept = Id.of(Id.EPOCH_MILLIS, SHARD, 1);
        long deleted = Id.of(Id.EPOCH_MILLIS, SHARD, 2);
        redis.askAt(Keys.status(kept), "HSET", Keys.status(kept), "uid", "1", "text", "");
        redis.askAt(Keys.status(deleted), "HSET", Keys.status(deleted), "uid", "1", "gone", "1");
        state.give("high", "0 0 1 a.1", "0 0 2 b.1");
        Batch batch = fetch("w.1", 1);

        assertThat(await(queue.settle(batch, List.of(Outcome.DONE), Set.of(kept, deleted))))
                .isEqualTo(JobQueue.Settlement.STATUS_GONE);
        JobQueue.Turn turn = await(queue.settleAndFetch(batch, List.of(Outcome.DONE), Set.of(deleted + 1), "w.2", 1));
        assertThat(turn.settlement()).isEqualTo(JobQueue.Settlement.STATUS_GONE);
        assertThat(turn.next().jobs()).hasSize(1);
        assertThat(await(queue.beat(List.of(batch))).renewed()).containsExactly(batch);

        assertThat(await(queue.settle(batch, List.of(Outcome.DONE), Set.of(kept))))
                .isEqualTo(JobQueue.Settlement.DONE);
    }

    @Test
    void aContinuationIsClaimedByTheStepThatEnqueuesIt() {
        state.give("low", "0 0 1 a.1");
        Batch first = fetch("w.1", 1);

        JobQueue.Turn turn = await(queue.settleAndFetch(
                first, List.of(new Outcome.Continued(new Job.FanOut(author, 1, 9), Lane.LOW)), Set.of(), "w.2", 16));

        assertThat(turn.next().jobs()).extracting(ClaimedJob::job).containsExactly(new Job.FanOut(author, 1, 9));
    }

    @Test
    void aLookFindsTheShardsThatHaveSomething() {
        ShardProbe waiting = queue.waiting();
        ShardProbe leased = queue.leased();
        assertThat(await(waiting.look(Set.of()))).isEmpty();
        state.give("suspect", "1 0 1 a.1");
        assertThat(await(waiting.look(Set.of()))).containsExactly(SHARD);
        assertThat(await(waiting.look(Set.of(SHARD)))).as("it is known").isEmpty();
        assertThat(await(leased.look(Set.of()))).isEmpty();
        assertThat(fetchAlone("w.1").jobs()).hasSize(1);
        assertThat(await(leased.look(Set.of()))).containsExactly(SHARD);
        assertThat(await(waiting.look(Set.of()))).isEmpty();
    }

    @Test
    void aSuspectGoesFirstAndAloneToAWorkerThatIsFree() {
        state.give("suspect", "1 0 1 a.1", "1 0 2 b.1");
        state.give("high", "0 0 3 c.1");

        assertThat(fetchAlone("w.1").suspects()).isTrue();
        assertState("""
                high: 0 0 3 c.1
                suspect: 1 0 2 b.1
                batch w.1 until 11000: 1 0 1 a.1""");
        assertThat(fetchAlone("w.2").suspects()).as("more of them").isFalse();
        assertThat(fetchAlone("w.3").jobs()).extracting(ClaimedJob::line).containsExactly("0 0 3 c.1");
    }

    @Test
    void aBusyWorkerIsNotifiedOfSuspectsButReceivesNone() {
        state.give("suspect", "1 0 1 a.1");
        state.give("high", "0 0 3 c.1");

        assertThat(fetch("w.1", 64).suspects()).isTrue();
        assertThat(fetch("w.2", 64)).isEqualTo(new Batch(SHARD, "w.2", List.of(), false, true, -1, Lane.NORMAL));
        assertState("""
                suspect: 1 0 1 a.1
                batch w.1 until 11000: 0 0 3 c.1""");
    }

    @Test
    void aRecoveredJobIsStillSuspectAfterADelay() {
        state.giveDelayed(900, "1 1 1 a.1");
        state.giveDelayed(901, "0 1 2 b.1");

        fetch("w.1", 64);

        assertState("""
                suspect: 1 1 1 a.1
                batch w.1 until 11000: 0 1 2 b.1""");
    }

    @Test
    void dueJobsWaitAgainAndOthersStayDelayed() {
        state.give("normal", "0 0 9 n.1");
        state.giveDelayed(1000, "0 1 1 a.1");
        state.giveDelayed(999, "0 1 2 b.1");
        state.giveDelayed(1001, "0 1 3 c.1");

        assertThat(fetch("w.1", 2).jobs()).extracting(ClaimedJob::line).containsExactly("0 0 9 n.1", "0 1 2 b.1");
        assertState("""
                normal: 0 1 1 a.1
                delayed: 1001 0 1 3 c.1
                batch w.1 until 11000: 0 0 9 n.1 | 0 1 2 b.1""");
    }

    @Test
    void lanesAreTakenByWeightSoThatNoneStarves() {
        for (String lane : List.of("high", "normal", "low")) {
            state.give(lane, numbered(lane, 300));
        }
        for (int i = 0; i < 8; i++) {
            assertThat(fetch("w." + i, 16).jobs()).hasSizeBetween(1, 16);
        }

        assertThat(state.list("high")).as("five batches").hasSize(220);
        assertThat(state.list("normal")).as("two of four").hasSize(292);
        assertThat(state.list("low")).as("one of one").hasSize(299);
    }

    @Test
    void aBatchHasJobsOfOneLaneAndSaysThatTheOthersHaveMore() {
        state.give("high", "0 0 1 a.1");
        state.give("low", "0 0 2 b.1");

        Batch first = fetch("w.1", 16);
        assertThat(first.jobs()).extracting(ClaimedJob::line).containsExactly("0 0 1 a.1");
        assertThat(first.more()).isTrue();
        assertThat(await(queue.fetchHigh(SHARD, "w.2", 16)).isEmpty()).isTrue();
        assertThat(fetch("w.3", 16).jobs()).extracting(ClaimedJob::line).containsExactly("0 0 2 b.1");
    }

    @Test
    void noLaneStarvesInAnyShardOfAWorkerThatGoesRoundBusyOnes() {
        int shards = 8;
        queue = new JobQueue(link, new Shards(shards), SETTINGS, () -> now);
        for (int shard = 0; shard < shards; shard++) {
            QueueState busy = new QueueState(redis, shard);
            busy.give("high", numbered("high", 100));
            busy.give("normal", "0 0 1 normal.1");
            busy.give("low", "0 0 1 low.1");
        }
        for (int round = 0; round < 8; round++) {
            for (int shard = 0; shard < shards; shard++) {
                assertThat(await(queue.fetch(shard, "w." + round, 4, false)).jobs())
                        .isNotEmpty();
            }
        }

        for (int shard = 0; shard < shards; shard++) {
            QueueState busy = new QueueState(redis, shard);
            assertThat(busy.list("high")).as("shard %d stays busy", shard).isNotEmpty();
            assertThat(busy.list("normal")).as("shard %d", shard).isEmpty();
            assertThat(busy.list("low")).as("shard %d", shard).isEmpty();
        }
    }

    @Test
    void aBatchIsOfTheFirstLaneThatHasJobs() {
        state.give("normal", "0 0 2 n.1", "0 0 3 n.1", "0 0 4 n.1");
        state.give("low", "0 0 5 l.1", "0 0 6 l.1");

        fetch("w.1", 8);

        assertState("""
                low: 0 0 5 l.1 | 0 0 6 l.1
                batch w.1 until 11000: 0 0 2 n.1 | 0 0 3 n.1 | 0 0 4 n.1""");
    }

    @Test
    void aTurnOfALowerLaneIsShortWhileTheHighOneWaits() {
        state.give("high", numbered("high", 300));
        state.give("normal", numbered("normal", 300));

        assertThat(List.of(
                        fetch("w.1", 16).jobs().size(), fetch("w.2", 16).jobs().size()))
                .containsExactly(16, 4);
        assertThat(state.list("normal")).hasSize(296);
    }

    @Test
    void hundredsOfJobsFitInABatch() {
        state.give("high", numbered("a", 700));

        Batch batch = fetch("w.1", 1000);

        assertThat(batch.jobs()).hasSize(700);
        await(queue.release(batch));
        assertThat(state.list("high"))
                .hasSize(700)
                .startsWith("0 0 1 a.1 0", "0 0 1 a.1 1")
                .endsWith("0 0 1 a.1 699");
    }

    @Test
    void aSettledBatchIsGoneAndCounted() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1");
        Batch batch = fetch("w.1", 2);

        assertThat(settle(batch, Outcome.DONE, Outcome.DONE)).isTrue();
        assertState("stats: done=2");
    }

    @Test
    void aBatchWhoseLeaseIsGoneIsLostAndNothingHappens() {
        state.give("high", "0 0 1 a.1");
        Batch batch = fetch("w.1", 2);
        now = 11_000;
        reap("w.1");
        String before = state.text();

        assertThat(settle(batch, new Outcome.Continued(new Job.FanOut(author, 8, 9), Lane.LOW)))
                .isFalse();
        await(queue.release(batch));
        assertState(before);
        assertThat(before).isEqualTo("""
                suspect: 1 0 1 a.1
                stats: reaped=1""");
    }

    @Test
    void aRepeatedSettleSaysLostAndDoesNothingMore() {
        state.give("high", "0 0 1 a.1");
        Batch batch = fetch("w.1", 2);
        Outcome rest = new Outcome.Continued(new Job.FanOut(author, 8, 9), Lane.LOW);

        assertThat(settle(batch, rest)).isTrue();
        assertThat(settle(batch, rest)).isFalse();
        assertState("""
                low: 0 0 1000 fan_out.1 %d 8 9
                stats: done=1 enqueued=1""".formatted(author));
    }

    @Test
    void failuresAreDelayedOrBuriedAndTheOthersAreDone() {
        state.give("high", "0 0 1 a.1", "2 3 2 b.1", "0 4 3 c.1", "0 0 4 d.1", "rubbish");
        Batch batch = fetch("w.1", 64);

        assertThat(settle(
                        batch,
                        Outcome.DONE,
                        new Outcome.Retry(500, true, "because"),
                        new Outcome.Retry(30_000, false, "not yet"),
                        new Outcome.Dead("no\nway\t!"),
                        new Outcome.Dead("malformed")))
                .isTrue();
        assertState("""
                delayed: 1500 2 4 2 b.1 | 31000 0 4 3 c.1
                dead: 1000 malformed\trubbish | 1000 no way !\t0 0 4 d.1
                stats: buried=2 done=1 retried=2""");
    }

    @Test
    void anEqualJobThatIsDelayedAlreadyStandsForBoth() {
        state.giveDelayed(9000, "0 1 1 a.1");
        state.give("high", "0 0 1 a.1");
        Batch batch = fetch("w.1", 64);

        settle(batch, new Outcome.Retry(500, true, "because"));

        assertState("""
                delayed: 1500 0 1 1 a.1
                stats: done=1""");
    }

    @Test
    void aSettlementThatFailsInTheMiddleLeavesTheLease() {
        state.give("high", "0 0 1 a.1");
        Batch batch = fetch("w.1", 64);
        redis.askAt(Keys.delayed(SHARD), "SET", Keys.delayed(SHARD), "written over by hand");

        assertThatThrownBy(() -> settle(batch, new Outcome.Retry(500, true, "because")))
                .hasMessageContaining("WRONGTYPE");

        redis.askAt(Keys.delayed(SHARD), "DEL", Keys.delayed(SHARD));
        assertState("batch w.1 until 11000: 0 0 1 a.1");
        assertThat(await(queue.reap(await(queue.leases()).get(0)))).isEqualTo(1);
    }

    @Test
    void aContinuationMustStayInItsShard() {
        state.give("high", "0 0 1 a.1");
        Batch batch = fetch("w.1", 64);

        assertThatThrownBy(() -> settle(batch, new Outcome.Continued(new Job.FanOut(author + 4, 8, 9), Lane.LOW)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deadLettersAreCappedByCountAndAge() {
        state.giveDead(500, "old\t0 0 1 a.1");
        now = 86_400_500;
        state.give("high", "0 0 1 b.1", "0 0 2 c.1", "0 0 3 d.1", "0 0 4 e.1");
        Batch batch = fetch("w.1", 64);

        settle(batch, Collections.nCopies(4, new Outcome.Dead("x")).toArray(Outcome[]::new));

        assertState("""
                delayed: 87000500 0 0 4 e.1
                dead: 86400500 x\t0 0 1 b.1 | 86400500 x\t0 0 2 c.1 | 86400500 x\t0 0 3 d.1
                stats: buried=3 dropped=1 retried=1""");
    }

    @Test
    void noAcceptedJobIsLostForARoomThatIsFullOfDeadLetters() {
        state.giveDead(500, "x\t0 0 1 b.1");
        state.giveDead(500, "x\t0 0 2 c.1");
        state.giveDead(500, "x\t0 0 3 d.1");
        now = 1000;
        state.give("suspect", "3 0 4 e.1");
        fetchAlone("w.1");
        now = 20_000;
        assertThat(await(queue.reap(await(queue.leases()).get(0)))).isEqualTo(1);
        assertState("""
                delayed: 620000 3 0 4 e.1
                dead: 500 x\t0 0 1 b.1 | 500 x\t0 0 2 c.1 | 500 x\t0 0 3 d.1
                stats: reaped=1 retried=1""");

        now = 700_000;
        assertThat(await(queue.deadLetters().drop(SHARD, DeadLetters.Filter.ANY, 0, 1))
                        .taken())
                .isEqualTo(1);
        Batch again = fetchAlone("w.2");
        settle(again, new Outcome.Dead("x"));
        assertState("""
                dead: 500 x\t0 0 2 c.1 | 500 x\t0 0 3 d.1 | 700000 x\t3 0 4 e.1
                stats: buried=1 dropped=1 reaped=1 retried=1""");
    }

    @Test
    void aBeatRenewsHeldBatchesAndReturnsTheMissingOnes() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1");
        Batch kept = fetch("w.1", 1);
        Batch settled = fetch("w.2", 1);
        settle(settled, Outcome.DONE);
        now = 5000;

        LeaseRenewal beat = await(queue.beat(List.of(kept, settled)));

        assertThat(beat).isEqualTo(new LeaseRenewal(List.of(kept), List.of(settled)));
        assertState("""
                batch w.1 until 15000: 0 0 1 a.1
                stats: done=1""");
    }

    @Test
    void aBeatOfNothingAsksNothing() {
        assertThat(await(queue.beat(List.of()))).isEqualTo(new LeaseRenewal(List.of(), List.of()));
    }

    @Test
    void aBatchIsReapedByTheDeadlineThatItWasSeenWith() {
        state.give("high", "0 0 1 a.1", "0 0 2 b.1");
        fetch("w.1", 1);
        now = 1500;
        fetch("w.2", 1);

        Leased first = new Leased(SHARD, "w.1", 11_000);
        Leased second = new Leased(SHARD, "w.2", 11_500);
        assertThat(await(queue.leases())).containsExactly(first, second);
        assertThat(await(queue.reap(new Leased(SHARD, "w.2", 11_000)))).isZero();
        assertThat(await(queue.reap(first))).isEqualTo(1);
        assertState("""
                suspect: 1 0 1 a.1
                batch w.2 until 11500: 0 0 2 b.1
                stats: reaped=1""");
    }

    @Test
    void aBeatAfterTheDeadlineStillSavesALease() {
        state.give("high", "0 0 1 a.1");
        Batch batch = fetch("w.1", 1);
        now = 20_000;

        assertThat(await(queue.beat(List.of(batch))).renewed()).containsExactly(batch);
        assertThat(await(queue.reap(new Leased(SHARD, "w.1", 11_000)))).isZero();
    }

    @Test
    void onlyTheCulpritDiesAfterThreeDeathsAlone() {
        state.give("high", "0 0 1 good.1", "0 0 2 bad.1", "no job at all");
        fetch("w.1", 64);
        now += 10_000;
        reap("w.1");
        assertThat(state.text()).isEqualTo("""
                suspect: 1 0 1 good.1 | 1 0 2 bad.1
                dead: 11000 malformed\tno job at all
                stats: buried=1 reaped=3""");
        settle(fetchAlone("w.2"), Outcome.DONE);
        for (int death = 1; death <= 3; death++) {
            assertThat(fetchAlone("x." + death).jobs()).hasSize(1);
            now += 10_000;
            reap("x." + death);
        }

        assertState("""
                dead: 11000 malformed\tno job at all | 41000 poison: 3 workers died of it, and one more\t3 0 2 bad.1
                stats: buried=2 done=1 reaped=6""");
    }

    @Test
    void aReleasedBatchIsNextInItsOldOrder() {
        state.give("high", "0 0 1 a.1", "0 2 2 b.1", "0 0 3 c.1");
        Batch batch = fetch("w.1", 2);

        await(queue.release(batch));

        assertState("high: 0 0 1 a.1 | 0 2 2 b.1 | 0 0 3 c.1");
    }

    @ParameterizedTest
    @EnumSource(Lane.class)
    void aReleasedBatchGoesBackIntoItsLane(Lane lane) {
        state.give(lane.key(), "0 0 1 a.1", "0 0 2 b.1", "0 0 3 c.1");
        Batch batch = fetch("w.1", 64);
        assertThat(batch.jobs()).isNotEmpty();

        await(queue.release(batch));

        assertState(lane.key() + ": 0 0 1 a.1 | 0 0 2 b.1 | 0 0 3 c.1");
    }

    @Test
    void aBatchWhoseClaimWasRepeatedGoesBackIntoTheNormalLane() {
        state.give("low", "0 0 1 a.1");
        fetch("w.1", 64);

        await(queue.release(fetch("w.1", 64)));

        assertState("normal: 0 0 1 a.1");
    }

    @Test
    void aReleasedSuspectStaysSuspect() {
        state.give("suspect", "2 0 1 a.1");

        await(queue.release(fetchAlone("w.1")));

        assertState("suspect: 2 0 1 a.1");
    }

    @Test
    void statsCountEveryJobByItsPlace() {
        for (int i = 0; i < 6; i++) {
            now++;
            await(queue.enqueue(new Job.FanOut(author + 4096L * i, 8 + i, 0), Lane.HIGH));
        }
        settle(fetch("w.1", 3), Outcome.DONE, new Outcome.Retry(9, true, "r"), new Outcome.Dead("d"));
        fetch("w.2", 2);

        QueueStats stats = await(queue.stats()).get(SHARD);

        assertThat(stats)
                .isEqualTo(new QueueStats(
                        SHARD,
                        1,
                        0,
                        0,
                        0,
                        1,
                        1,
                        1,
                        1006,
                        6,
                        1,
                        1,
                        1,
                        0,
                        0,
                        0,
                        Map.of(Lane.HIGH, lane(1, 1006, 0), Lane.NORMAL, lane(0, 0, 0), Lane.LOW, lane(0, 0, 0))));
        assertThat(stats.inFlight()).isEqualTo(2);
        assertThat(stats.isQuiet()).isFalse();
        assertThat(await(queue.stats()).get(0).isQuiet()).isTrue();
    }

    @Test
    void everyNumberOfAShardComesUnderItsName() {
        int number = 0;
        for (String lane : List.of("high", "normal", "low", "suspect")) {
            number++;
            String key = Keys.lane(SHARD, lane);
            for (int i = 0; i < number; i++) {
                redis.askAt(key, "LPUSH", key, "0 0 " + (5000 - number) + " dance.1");
            }
        }
        for (String key : List.of(Keys.delayed(SHARD), Keys.leases(SHARD), Keys.dead(SHARD))) {
            number++;
            for (int i = 0; i < number; i++) {
                redis.askAt(key, "ZADD", key, "1", "m" + i);
            }
        }
        for (String counter : List.of("enqueued", "done", "retried", "buried", "dropped", "replayed", "reaped")) {
            number++;
            redis.askAt(Keys.queueStats(SHARD), "HSET", Keys.queueStats(SHARD), counter, Integer.toString(number));
        }
        assertThat(await(queue.lanePause().set(Lane.NORMAL, true)).changed()).isEqualTo(4);

        assertThat(await(queue.stats()).get(SHARD))
                .isEqualTo(new QueueStats(
                        SHARD,
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        4996,
                        8,
                        9,
                        10,
                        11,
                        12,
                        13,
                        14,
                        Map.of(
                                Lane.HIGH,
                                lane(1, 4999, 0),
                                Lane.NORMAL,
                                lane(2, 4998, 1000),
                                Lane.LOW,
                                lane(3, 4997, 0))));
        assertThatThrownBy(() -> QueueStats.of(SHARD, new Reply.Items(List.of())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("high");
    }

    private static LaneStats lane(long depth, long oldestMillis, long pausedMillis) {
        return new LaneStats(depth, oldestMillis, pausedMillis);
    }

    @Test
    void theLastFailureOfEachTypeIsKeptWithItsReason() {
        state.give("high", "0 0 1 dance.1 7 1", "0 0 1 sing.1 7 1", "0 2 1 sing.1 7 2", "0 0 1 walk.1 7 1");
        settle(
                fetch("w.1", 4),
                new Outcome.Dead("two left feet"),
                new Outcome.Retry(9, true, "hoarse"),
                new Outcome.Retry(9, false, "no\tair"),
                Outcome.DONE);

        assertThat(await(queue.lastFailures()))
                .containsExactlyInAnyOrder(
                        new LastFailure(SHARD, "dance", 1000, "two left feet", "0 0 1 dance.1 7 1"),
                        new LastFailure(SHARD, "sing", 1000, "no air", "0 2 1 sing.1 7 2"));
    }

    @Test
    void aTokenWakesAWaitingWorkerOnce() {
        await(queue.wake(3));
        await(queue.wake(1));
        await(queue.wake(3));

        assertThat(await(queue.awaitWake(500))).containsExactly(3, 1);
        assertThat(await(queue.awaitWake(20))).isEmpty();
    }

    @Test
    void tokensAreCappedAndUnknownShardsIgnored() {
        List<String> push = new ArrayList<>(Collections.nCopies(1100, "77"));
        push.addAll(0, List.of("LPUSH", Keys.WAKE));
        redis.askAt(Keys.WAKE, push.toArray(String[]::new));
        await(queue.wake(3));

        assertThat(redis.askAt(Keys.WAKE, "LLEN", Keys.WAKE).asLong()).isEqualTo(1024);
        assertThat(await(queue.awaitWake(500))).isEmpty();
    }

    private static String[] numbered(String type, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "0 0 1 " + type + ".1 " + i)
                .toArray(String[]::new);
    }

    @CanIgnoreReturnValue
    private Batch fetch(String name, int max) {
        return await(queue.fetch(SHARD, name, max, false));
    }

    @CanIgnoreReturnValue
    private Batch fetchAlone(String name) {
        return await(queue.fetch(SHARD, name, 64, true));
    }

    @CanIgnoreReturnValue
    private boolean settle(Batch batch, Outcome... outcomes) {
        return await(queue.settle(batch, List.of(outcomes))) == JobQueue.Settlement.DONE;
    }

    @CanIgnoreReturnValue
    private int reap(String name) {
        return await(queue.leases()).stream()
                .filter(leased -> leased.name().equals(name))
                .mapToInt(leased -> await(queue.reap(leased)))
                .sum();
    }

    private void assertState(String wanted) {
        assertThat(state.text()).isEqualTo(wanted);
    }
}
